//! The common part of `bench` and `tune`: data sets, and a program loaded where its cost is known.

use crate::args::{Arguments, Common, Data};
use crate::report::{Error, shown};
use crate::source::Source;
use crate::thresholds::Choices;
use crate::{inputs, profile, source};
use segra::{DeviceChoice, DeviceInfo, DeviceKind, Entry, KnownInputs, Loaded, Program, Value};
use segra_runtime::{Machine, RunReport, Sample, SimDevice, SimOptions};
use segra_tune::measure::Settings;
use segra_tune::{Cost, CostSource, OnDevice, Precision};
use std::path::Path;
use std::sync::Arc;

/// Runs of a combination on a data set, where costs are noisy.
const RUNS: usize = 5;

/// A program on a device, with what it is measured on.
pub(crate) struct Bench {
    pub(crate) loaded: Loaded,
    pub(crate) entry: String,
    /// As given, one per data set.
    pub(crate) names: Vec<String>,
    /// By data set, one value per parameter.
    pub(crate) values: Vec<Vec<Value>>,
    pub(crate) source: CostSource,
    machine: Machine,
    sample: Sample,
}

impl Bench {
    /// The cost of all data sets, in microseconds, and the last report of each.
    pub(crate) fn cost(&self) -> Result<(f64, Vec<RunReport>), Error> {
        let entry = self
            .loaded
            .entry(&self.entry)
            .map_err(|error| Error::message(error.to_string()))?;
        let mut device = OnDevice::new(entry, &self.values, self.source);
        let runs = match self.source.precision() {
            Precision::Exact => 1,
            Precision::Noisy => RUNS,
        };
        let (mut all, mut reports) = (0.0, Vec::new());
        for (index, name) in self.names.iter().enumerate() {
            let failed = |message: &str| Error::message(format!("data set {name}: {message}"));
            let (mut cost, mut last) = (Cost::default(), None);
            for _ in 0..runs {
                let report = device
                    .report(index, &Settings::new())
                    .map_err(|error| failed(&error.0))?;
                let sample = self.source.cost(&report);
                cost.add(
                    sample.ok_or_else(|| failed("the device does not say what a launch costs"))?,
                );
                last = Some(report);
            }
            all += cost.median();
            reports.extend(last);
        }
        Ok((all, reports))
    }

    /// Reads, compiles, loads. With thresholds, no run has others, and of one data set kernels that no run launches are not
    /// compiled.
    pub(crate) fn new(
        file: &Path,
        data: &Data,
        common: (&Common, Choices),
        thresholds: Option<Settings>,
    ) -> Result<Bench, Error> {
        let machine = profile::machine(&data.profile)?;
        let sample = data.sample.map_or(Sample::All, Sample::waves);
        let device = match data.device {
            DeviceChoice::Auto => segra_runtime::open(DeviceChoice::Cuda).ok(),
            DeviceChoice::Cuda => Some(
                segra_runtime::open(DeviceChoice::Cuda)
                    .map_err(|error| Error::message(error.to_string()))?,
            ),
            DeviceChoice::Sim => None,
        };
        let device = device.unwrap_or_else(|| {
            let profile = Some(machine.clone());
            Arc::new(SimDevice::new(&SimOptions {
                profile,
                sample,
                ..SimOptions::default()
            }))
        });
        let mut early = None;
        let (artifact, program) = match source::read(file)? {
            Source::Artifact(artifact) => (*artifact, None),
            Source::Program(program) => {
                let known = thresholds.and_then(|given| known_inputs(data, &program, given));
                let (inputs, sets) = known.unzip();
                early = sets;
                let written = Program::clone(&program);
                let compiled = source::compile(written, common, None, Some(device.info()), inputs)?;
                (compiled.artifact, Some(program))
            }
        };
        let entries: Vec<&Entry> = artifact.entries.iter().collect();
        let entry = inputs::choose_entry(&entries, data.entry.as_deref())?;
        let sets = match early {
            Some(sets) => sets,
            None => data_sets(data, entry, program.as_deref())?,
        };
        let (names, values) = sets.into_iter().unzip();
        let entry = entry.name.clone();
        let source = CostSource::of(device.info().kind);
        let loaded =
            segra::load_on(artifact, device).map_err(|error| Error::message(error.to_string()))?;
        Ok(Bench {
            loaded,
            entry,
            names,
            values,
            source,
            machine,
            sample,
        })
    }

    /// Where it runs and where costs come from.
    pub(crate) fn place(&self) -> String {
        let DeviceInfo { kind, name, .. } = self.loaded.device().info();
        match kind {
            DeviceKind::Simulator => {
                let waves = match self.sample {
                    Sample::All => String::new(),
                    Sample::Part { waves, .. } => {
                        format!(" from {waves} or more waves of each launch")
                    }
                };
                format!("{name}, estimates for {}{waves}", self.machine.name)
            }
            DeviceKind::Cuda => format!("{name}, measured time"),
        }
    }
}

/// Data sets with their texts.
type Sets = Vec<(String, Vec<Value>)>;

/// The facts about the inputs of all runs where there is one data set, and that; nothing, where it is wrong, which is reported when
/// it is needed.
fn known_inputs(data: &Data, program: &Program, tunables: Settings) -> Option<(KnownInputs, Sets)> {
    let signatures = program.signatures();
    let entries: Vec<&Entry> = signatures.entries().collect();
    let entry = inputs::choose_entry(&entries, data.entry.as_deref()).ok()?;
    let sets = data_sets(data, entry, Some(program)).ok()?;
    let [(_, values)] = &sets[..] else {
        return None;
    };
    let known = KnownInputs::of(entry, values).ok()?;
    Some((KnownInputs { tunables, ..known }, sets))
}

/// The entry to run and its arguments, from `--input` or from one text of `--data`.
pub(crate) fn one_set(
    arguments: &Arguments,
    data: &Option<String>,
    entries: &[&Entry],
    program: &Program,
) -> Result<(String, Vec<Value>), Error> {
    let entry = inputs::choose_entry(entries, arguments.entry.as_deref())?;
    let values = match data {
        None => inputs::materialise(entry, arguments, Some(program))?,
        Some(text) => inputs::values(entry, &items(text), arguments.seed)?,
    };
    Ok((entry.name.clone(), values))
}

/// The inputs in the text of a data set.
fn items(text: &str) -> Vec<&str> {
    let items = text.split(';').map(str::trim);
    items.filter(|item| !item.is_empty()).collect()
}

/// Data sets from the command line and from a file; else the inputs that the program carries along.
fn data_sets(data: &Data, entry: &Entry, program: Option<&Program>) -> Result<Sets, Error> {
    let mut texts: Vec<(String, String)> = data
        .data
        .iter()
        .map(|text| (text.clone(), format!("--data '{text}'")))
        .collect();
    if let Some(path) = &data.data_file {
        let lines =
            std::fs::read_to_string(path).map_err(|error| Error::file("read", path, error))?;
        for (index, line) in lines.lines().enumerate() {
            let text = line.split('#').next().unwrap_or_default().trim();
            if !text.is_empty() {
                texts.push((text.to_owned(), format!("{}:{}", shown(path), index + 1)));
            }
        }
    }
    if texts.is_empty()
        && let Some(carried) = inputs::carried(entry, program)
    {
        return Ok(vec![("carried by the program".to_owned(), carried?)]);
    }
    if texts.is_empty() && !entry.params.is_empty() {
        return Err(Error::message(
            "there are no data sets: add --data 'random:16x4096; random:4096x16', as often as there are kinds of data",
        ));
    }
    if texts.is_empty() {
        texts.push((String::new(), String::new()));
    }
    let mut sets = Vec::new();
    for (text, place) in texts {
        let items = items(&text);
        let values = inputs::values(entry, &items, data.seed).map_err(|error| match error {
            Error::Message(message) => Error::message(format!("{place}: {message}")),
            other => other,
        })?;
        sets.push((items.join("; "), values));
    }
    Ok(sets)
}
