//! A run as its user sees it from outside: signs of life where it takes long, a time limit, Ctrl-C.
//!
//! Work that listens is asked to end, and says where it was. Work that does not (a compilation, a kernel, the interpreter) is
//! ended with the process, and the place is told from here. Commands of many runs have a time limit only.

use crate::report::{Error, note};
use segra::{Failure, Loaded};
use segra_artifact::SourceMap;
use segra_ir::Context;
use segra_ir::diag::render::printable_name;
use segra_runtime::{Progress, RunControl, RunError, RunErrorKind, Stop};
use std::io::IsTerminal;
use std::process;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The exit code of what Ctrl-C ended, as of any program that a signal ends.
pub(crate) const INTERRUPTED: u8 = 130;
/// How long what listens has time to end by itself.
const GRACE: Duration = Duration::from_millis(500);

/// The work done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Compile,
    Run,
    /// The reference interpreter computes what the results are compared with.
    Check,
}

#[derive(Default)]
struct Shared {
    control: Arc<RunControl>,
    phase: AtomicU8,
    places: Mutex<Option<Places>>,
}

/// The meaning of the numbers in a [`Progress`].
struct Places {
    sources: SourceMap,
    kernels: Vec<String>,
}

/// Watches the process from now on.
pub(crate) struct Watch {
    shared: Arc<Shared>,
    limit: Option<Duration>,
    /// Hanging up tells the timer that all is done.
    timer: Option<mpsc::Sender<()>>,
}

impl Watch {
    /// Takes Ctrl-C.
    pub(crate) fn start(limit: Option<Duration>) -> Watch {
        let shared = Arc::new(Shared::default());
        let handler = shared.clone();
        // Where a handler is there already, Ctrl-C does what it did before.
        let _ = ctrlc::set_handler(move || {
            handler.control.stop(Stop::Interrupted);
            thread::sleep(GRACE);
            note(&format!("segra: interrupted {}", handler.doing()));
            process::exit(INTERRUPTED.into());
        });
        Watch {
            shared,
            limit,
            timer: None,
        }
    }

    /// The program is compiled: from now on time counts.
    pub(crate) fn running(&mut self, program: &Loaded) -> Arc<RunControl> {
        let artifact = program.artifact();
        let kernels = artifact
            .kernels
            .iter()
            .map(|kernel| kernel.name.clone())
            .collect();
        *lock(&self.shared.places) = Some(Places {
            sources: artifact.source_map.clone(),
            kernels,
        });
        self.enter(Phase::Run);
        let (sender, ended) = mpsc::channel();
        let (shared, limit) = (self.shared.clone(), self.limit);
        thread::spawn(move || tick(&shared, limit, &ended));
        self.timer = Some(sender);
        self.shared.control.clone()
    }

    pub(crate) fn enter(&self, phase: Phase) {
        self.shared.phase.store(phase as u8, Ordering::Relaxed);
    }

    /// Why a run failed, with what it did when it was stopped. `context` knows the program's text, where there is one.
    pub(crate) fn error(&self, error: &RunError, context: Option<Arc<Context>>) -> Error {
        match *error.kind {
            RunErrorKind::Stopped(Stop::Interrupted) => {
                Error::Interrupted(format!("interrupted {}", self.shared.doing()))
            }
            RunErrorKind::Stopped(Stop::TimeLimit) => {
                Error::message(self.shared.too_long(self.limit))
            }
            _ => match context.filter(|_| error.location.is_some()) {
                Some(context) => Failure::of_run(context, error).into(),
                None => Error::message(error.to_string()),
            },
        }
    }
}

/// Ends a command of many runs with the process if it takes longer; `what` says what it does.
pub(crate) fn end_after(limit: Option<Duration>, what: &'static str) {
    let Some(limit) = limit else { return };
    thread::spawn(move || {
        thread::sleep(limit);
        let seconds = limit.as_secs_f64();
        note(&format!(
            "segra: error: the time limit of {seconds} s is reached while {what}"
        ));
        process::exit(1);
    });
}

impl Shared {
    /// `in kernel ... at FILE:LINE:COLUMN`
    fn doing(&self) -> String {
        const COMPILE: u8 = Phase::Compile as u8;
        const CHECK: u8 = Phase::Check as u8;
        match self.phase.load(Ordering::Relaxed) {
            COMPILE => return "while the program was compiled".to_owned(),
            CHECK => return "while the reference interpreter ran the program".to_owned(),
            _ => {}
        }
        let Progress {
            steps,
            location,
            kernel,
        } = self.control.progress();
        let places = lock(&self.places);
        let kernel = kernel.and_then(|kernel| places.as_ref()?.kernels.get(kernel));
        let place = location.and_then(|location| places.as_ref()?.sources.render(location));
        let place = place.map_or_else(String::new, |place| {
            format!(" at {}", printable_name(&place))
        });
        match kernel {
            Some(kernel) => format!("in kernel `{kernel}`{place}"),
            None => format!("on the host{place}, after {steps} steps"),
        }
    }

    fn too_long(&self, limit: Option<Duration>) -> String {
        format!(
            "the time limit of {} s is reached {}",
            limit.unwrap_or_default().as_secs_f64(),
            self.doing()
        )
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says now and then how far the run is, and ends it at its limit.
fn tick(shared: &Shared, limit: Option<Duration>, ended: &mpsc::Receiver<()>) {
    let start = Instant::now();
    // Who reads a log later wants to know of long runs only.
    let mut sign = Duration::from_secs(if std::io::stderr().is_terminal() {
        5
    } else {
        60
    });
    loop {
        let next = limit.map_or(sign, |limit| limit.min(sign));
        match ended.recv_timeout(next.saturating_sub(start.elapsed())) {
            Err(RecvTimeoutError::Timeout) => {}
            _ => return,
        }
        if limit.is_some_and(|limit| start.elapsed() >= limit) {
            shared.control.stop(Stop::TimeLimit);
            if let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(GRACE) {
                note(&format!("segra: error: {}", shared.too_long(limit)));
                process::exit(1);
            }
            return;
        }
        if start.elapsed() >= sign {
            note(&format!(
                "running for {} s: {}",
                start.elapsed().as_secs(),
                shared.doing()
            ));
            sign *= 2;
        }
    }
}
