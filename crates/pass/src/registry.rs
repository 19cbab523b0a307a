//! The registry: an explicit, alphabetic list of passes and named pipelines; command lines, help and docs come from it.

use crate::options::{OptionError, OptionSpec, PassOptions};
use crate::pass::{Anchors, Pass, PassInfo};
use std::any::type_name;

/// A registered pass.
#[derive(Clone, Copy)]
pub struct PassEntry {
    /// The pass's description of itself.
    pub info: &'static PassInfo,
    /// The crate it is defined in, such as `segra_cleanup`.
    pub home: &'static str,
    specs: fn() -> Vec<OptionSpec>,
    make: fn() -> Box<dyn Pass>,
}

impl std::fmt::Debug for PassEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PassEntry({})", self.info.name)
    }
}

impl PassEntry {
    /// The entry of a pass.
    pub fn of<P: Pass + Default>() -> PassEntry {
        PassEntry {
            info: P::default().info(),
            home: type_name::<P>().split("::").next().unwrap_or_default(),
            specs: <P as PassOptions>::specs,
            make: || Box::new(P::default()),
        }
    }
    /// Its options.
    pub fn options(&self) -> Vec<OptionSpec> {
        (self.specs)()
    }
    /// The pass with default options.
    pub fn make(&self) -> Box<dyn Pass> {
        (self.make)()
    }
}

/// A pipeline with a name: a plain list of steps, each written as in a pipeline string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedPipeline {
    /// Name in pipelines and on the command line.
    pub name: &'static str,
    /// One line: what it does.
    pub summary: &'static str,
    /// The steps, in order: `canonicalize`, `flatten{versions=all}`, `func.func(cse)`, names of other pipelines.
    pub steps: &'static [&'static str],
    /// Options of passes that are options of the pipeline, too: `array-to-gpu{strategy=auto}`.
    pub options: &'static [PipelineOption],
}

/// An option of a named pipeline: that of one of its passes, by the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipelineOption {
    /// The pass, wherever it is among the steps and those of other named pipelines in them.
    pub pass: &'static str,
    /// The option's name.
    pub name: &'static str,
}

/// All passes and named pipelines a tool knows.
#[derive(Clone, Debug, Default)]
pub struct PassRegistry {
    passes: Vec<PassEntry>,
    pipelines: Vec<NamedPipeline>,
    /// Pass, option and value; later ones go before earlier ones.
    defaults: Vec<(&'static str, String, Option<String>)>,
}

/// The meaning of a name in a pipeline.
#[derive(Clone, Copy, Debug)]
pub enum Registered<'a> {
    /// A pass.
    Pass(&'a PassEntry),
    /// A named pipeline.
    Pipeline(&'a NamedPipeline),
}

impl PassRegistry {
    /// A registry of these lists; both are in alphabetic order.
    pub fn new(passes: Vec<PassEntry>, pipelines: Vec<NamedPipeline>) -> PassRegistry {
        PassRegistry {
            passes,
            pipelines,
            defaults: Vec::new(),
        }
    }
    /// Gives an option of a pass another default in pipelines that are read with this registry: a pipeline may still say otherwise.
    /// Of a pass that is not registered, nothing.
    ///
    /// # Errors
    /// The pass has no such option, or the option no such value.
    pub fn set_default(
        &mut self,
        pass: &str,
        option: &str,
        value: &str,
    ) -> Result<(), OptionError> {
        self.give_default(pass, option, Some(value))
    }
    /// As [`PassRegistry::set_default`]; `None`: the option is named without a value.
    fn give_default(
        &mut self,
        pass: &str,
        option: &str,
        value: Option<&str>,
    ) -> Result<(), OptionError> {
        let Some(Registered::Pass(entry)) = self.find(pass) else {
            return Ok(());
        };
        entry.make().set_option(option, value)?;
        let name = entry.info.name;
        self.defaults
            .push((name, option.to_owned(), value.map(str::to_owned)));
        Ok(())
    }
    /// Gives an option of a named pipeline: the passes in it have another default.
    pub(crate) fn set_pipeline_option(
        &mut self,
        pipeline: &NamedPipeline,
        option: &str,
        value: Option<&str>,
    ) -> Result<(), OptionError> {
        let mut passes = pipeline.options.iter().filter(|row| row.name == option);
        let unknown = OptionError::Unknown {
            name: option.to_owned(),
            options: pipeline
                .options
                .iter()
                .map(|row| row.name.to_owned())
                .collect(),
        };
        let first = passes.next().ok_or(unknown)?;
        core::iter::once(first)
            .chain(passes)
            .try_for_each(|row| self.give_default(row.pass, row.name, value))
    }
    /// The options of a named pipeline.
    pub fn pipeline_options(&self, pipeline: &NamedPipeline) -> Vec<OptionSpec> {
        let specs = pipeline.options.iter().filter_map(|row| {
            let Some(Registered::Pass(entry)) = self.find(row.pass) else {
                return None;
            };
            entry
                .options()
                .into_iter()
                .find(|spec| spec.name == row.name)
        });
        specs.collect()
    }
    /// A pass of this registry with the options that it has where a pipeline says nothing.
    pub(crate) fn make(&self, entry: &PassEntry) -> Box<dyn Pass> {
        let mut pass = entry.make();
        let of_pass = self.defaults.iter().filter(|row| row.0 == entry.info.name);
        for (_, option, value) in of_pass {
            // It was taken when it was given.
            let _ = pass.set_option(option, value.as_deref());
        }
        pass
    }
    /// This registry with more passes, each in its alphabetic place.
    pub fn with_passes(mut self, passes: Vec<PassEntry>) -> PassRegistry {
        self.passes.extend(passes);
        self.passes.sort_by_key(|entry| entry.info.name);
        self
    }
    /// The passes, as listed.
    pub fn passes(&self) -> &[PassEntry] {
        &self.passes
    }
    /// The named pipelines, as listed.
    pub fn pipelines(&self) -> &[NamedPipeline] {
        &self.pipelines
    }
    /// The binding of a name.
    pub fn find(&self, name: &str) -> Option<Registered<'_>> {
        let pass = self
            .passes
            .iter()
            .find(|entry| entry.info.name == name)
            .map(Registered::Pass);
        pass.or_else(|| {
            self.pipelines
                .iter()
                .find(|entry| entry.name == name)
                .map(Registered::Pipeline)
        })
    }
    /// All names, passes first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let passes = self.passes.iter().map(|entry| entry.info.name);
        passes.chain(self.pipelines.iter().map(|entry| entry.name))
    }
    /// Faults of the lists: names out of order or used twice, summaries that are not one line, options of pipelines that their
    /// passes do not have. For a test.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let passes: Vec<_> = self
            .passes
            .iter()
            .map(|entry| (entry.info.name, entry.info.summary))
            .collect();
        let pipelines: Vec<_> = self
            .pipelines
            .iter()
            .map(|entry| (entry.name, entry.summary))
            .collect();
        for list in [&passes, &pipelines] {
            for pair in list.windows(2).filter(|pair| pair[0].0 >= pair[1].0) {
                problems.push(format!("`{}` stands before `{}`", pair[0].0, pair[1].0));
            }
        }
        for (name, summary) in passes.iter().chain(&pipelines) {
            if summary.is_empty() || summary.contains('\n') {
                problems.push(format!("the summary of `{name}` is not one line"));
            }
        }
        for (name, _) in passes
            .iter()
            .filter(|row| pipelines.iter().any(|other| other.0 == row.0))
        {
            problems.push(format!("`{name}` names a pass and a pipeline"));
        }
        for pipeline in &self.pipelines {
            let known = self.pipeline_options(pipeline);
            let unknown = |row: &&PipelineOption| known.iter().all(|spec| spec.name != row.name);
            for row in pipeline.options.iter().filter(unknown) {
                let (pass, name) = (row.pass, row.name);
                problems.push(format!(
                    "`{}` has the option `{name}`, which `{pass}` has not",
                    pipeline.name
                ));
            }
        }
        problems
    }
    /// The documentation of all passes and pipelines, in Markdown.
    pub fn documentation(&self) -> String {
        let mut out = String::from("# Passes\n");
        for entry in &self.passes {
            let info = entry.info;
            out += &format!("\n## `{}`\n{}\n\n", info.name, info.summary);
            out += &format!(
                "Reads: {}. Writes: {}. Runs on: {}.\n",
                words(info.reads),
                words(info.writes),
                anchors(info.anchors)
            );
            out += &options_table(entry.options());
        }
        out += "\n# Pipelines\n";
        for pipeline in &self.pipelines {
            out += &format!(
                "\n## `{}`\n{}\n\n`{}`\n",
                pipeline.name,
                pipeline.summary,
                pipeline.steps.join(",")
            );
            out += &options_table(self.pipeline_options(pipeline));
        }
        out
    }
}

fn options_table(options: Vec<OptionSpec>) -> String {
    let mut out = String::new();
    if !options.is_empty() {
        out += "\n| option | default | takes | |\n|---|---|---|---|\n";
    }
    for option in options {
        let default = option
            .default
            .map_or_else(|| "none".to_owned(), |text| format!("`{text}`"));
        out += &format!(
            "| `{}` | {default} | {} | {} |\n",
            option.name, option.expects, option.doc
        );
    }
    out
}

fn words(dialects: &[&str]) -> String {
    match dialects {
        [] => "nothing".to_owned(),
        ["*"] => "any dialect".to_owned(),
        list => list.join(", "),
    }
}

fn anchors(anchors: Anchors) -> String {
    match anchors {
        Anchors::Any => "any isolated op".to_owned(),
        Anchors::Ops(names) => names.join(", "),
    }
}
