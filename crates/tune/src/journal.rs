//! Runs kept in a file, line by line, so that a search that was killed goes on where it was.
//!
//! The first line says what the runs are of; each further line is one run as JSON. A last line that was cut off is
//! dropped. A search asks for the same runs in the same order again, so it gets the recorded ones until they are used
//! up, then new ones, which are appended and written through at once. A file that is no log is never written to.

use crate::cost::Precision;
use crate::measure::{Measure, Run, RunFailure, Settings};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Version of the lines.
const FORMAT: u32 = 1;

/// The first line.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    segra_tuning_log: u32,
    /// The program that was run, and its data.
    of: String,
}

/// A line after the first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Run {
        data_set: usize,
        settings: Settings,
        #[serde(flatten)]
        run: Run,
    },
    Done {
        done: bool,
    },
}

/// The contents found in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resumed {
    /// Nothing to go on from: there was no file, or of a search that ended.
    New,
    /// A log of something else: another program, device or data.
    Other,
    /// So many runs of a search that did not end.
    Runs(usize),
}

/// The file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write log {}: {source}", path.display())]
pub struct JournalError {
    /// The file.
    pub path: PathBuf,
    /// The system's message.
    pub source: io::Error,
}

/// Measures, and keeps what was measured.
#[derive(Debug)]
pub struct Journal<M> {
    inner: M,
    path: PathBuf,
    file: File,
    /// Recorded runs not asked for yet, by data set and settings.
    recorded: BTreeMap<(usize, Settings), VecDeque<Run>>,
}

impl<M: Measure> Journal<M> {
    /// Opens or makes the file. `of` tells searches apart: runs recorded for something else are not used.
    ///
    /// # Errors
    /// The file cannot be made, read or written, or is no log.
    pub fn open(path: &Path, of: &str, inner: M) -> Result<(Journal<M>, Resumed), JournalError> {
        let failed = |source| JournalError {
            path: path.to_owned(),
            source,
        };
        let found = contents(path)?;
        let head = Head {
            segra_tuning_log: FORMAT,
            of: of.to_owned(),
        };
        let mut recorded = BTreeMap::<_, VecDeque<Run>>::new();
        let (resumed, keep) = match found
            .as_deref()
            .map(|bytes| replay(bytes, &head, &mut recorded))
        {
            None => (Resumed::New, 0),
            Some((resumed, keep)) => (resumed, keep),
        };
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(failed)?;
        file.set_len(keep)
            .and_then(|()| io::Seek::seek(&mut file, io::SeekFrom::End(0)))
            .map_err(failed)?;
        let mut journal = Journal {
            inner,
            path: path.to_owned(),
            file,
            recorded,
        };
        if keep == 0 {
            journal.append(&head)?;
        }
        Ok((journal, resumed))
    }

    /// Says that the search ended: the next one starts anew.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<(), JournalError> {
        self.append(&Line::Done { done: true }).map(drop)
    }

    /// Appends a line. Gives back what a later reader will see: the last digit of a number may differ, and the search
    /// must go on from the same numbers.
    fn append<L: Serialize + DeserializeOwned>(&mut self, line: &L) -> Result<L, JournalError> {
        let written = serde_json::to_vec(line)
            .map_err(io::Error::other)
            .and_then(|mut bytes| {
                bytes.push(b'\n');
                self.file.write_all(&bytes)?;
                self.file.sync_data()?;
                serde_json::from_slice(&bytes).map_err(io::Error::other)
            });
        written.map_err(|source| JournalError {
            path: self.path.clone(),
            source,
        })
    }
}

/// Removes a log, if there is one.
///
/// # Errors
/// The file cannot be read or removed, or is no log.
pub fn discard(path: &Path) -> Result<(), JournalError> {
    match contents(path)? {
        None => Ok(()),
        Some(_) if is_other(path) => Err(foreign(path)),
        Some(_) => std::fs::remove_file(path).map_err(|source| JournalError {
            path: path.to_owned(),
            source,
        }),
    }
}

/// The contents of a log, if there is one.
fn contents(path: &Path) -> Result<Option<Vec<u8>>, JournalError> {
    let failed = |source| JournalError {
        path: path.to_owned(),
        source,
    };
    // A device may have no end; there is nothing in it to go on from.
    let bytes = match if is_other(path) {
        Ok(Vec::new())
    } else {
        std::fs::read(path)
    } {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if is_log(&bytes) {
        return Ok(Some(bytes));
    }
    Err(foreign(path))
}

/// Whether it is neither a file nor a folder: a device or a pipe.
fn is_other(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn foreign(path: &Path) -> JournalError {
    let why =
        "there is something else in it, and it is kept; remove it or give the log another name";
    JournalError {
        path: path.to_owned(),
        source: io::Error::new(io::ErrorKind::InvalidData, why),
    }
}

/// Whether bytes begin as a log does; one whose first line was cut off is a log, too.
fn is_log(bytes: &[u8]) -> bool {
    const START: &[u8] = b"{\"segra_tuning_log\":";
    let first = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default();
    match first.ends_with(b"\n") {
        true => serde_json::from_slice::<Head>(first).is_ok(),
        false => first.starts_with(START) || START.starts_with(first),
    }
}

/// Reads the lines of a file; how many bytes of it to keep.
fn replay(
    bytes: &[u8],
    head: &Head,
    recorded: &mut BTreeMap<(usize, Settings), VecDeque<Run>>,
) -> (Resumed, u64) {
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let first = lines.next().filter(|line| line.ends_with(b"\n"));
    let Some(first) = first else {
        return (Resumed::New, 0);
    };
    if serde_json::from_slice::<Head>(first).ok().as_ref() != Some(head) {
        return (Resumed::Other, 0);
    }
    let (mut keep, mut runs) = (first.len(), 0);
    for line in lines.filter(|line| line.ends_with(b"\n")) {
        match serde_json::from_slice(line) {
            Ok(Line::Run {
                data_set,
                settings,
                run,
            }) => {
                recorded
                    .entry((data_set, settings))
                    .or_default()
                    .push_back(run);
                runs += 1;
            }
            Ok(Line::Done { .. }) => {
                recorded.clear();
                return (Resumed::New, 0);
            }
            // Damaged: what follows may hang on it.
            Err(_) => break,
        }
        keep += line.len();
    }
    (Resumed::Runs(runs), keep as u64)
}

impl<M: Measure> Measure for Journal<M> {
    fn run(&mut self, data_set: usize, settings: &Settings) -> Result<Run, RunFailure> {
        let key = (data_set, settings.clone());
        if let Some(run) = self.recorded.get_mut(&key).and_then(VecDeque::pop_front) {
            return Ok(run);
        }
        let run = self.inner.run(data_set, settings)?;
        let line = Line::Run {
            data_set,
            settings: key.1,
            run,
        };
        match self
            .append(&line)
            .map_err(|error| RunFailure(error.to_string()))?
        {
            Line::Run { run, .. } => Ok(run),
            Line::Done { .. } => Err(RunFailure(
                "a line of the log reads back as another".to_owned(),
            )),
        }
    }
    fn precision(&self) -> Precision {
        self.inner.precision()
    }
}
