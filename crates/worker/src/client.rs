//! Worker processes: started when one is needed, kept for the next compilation, replaced when they are gone.
//!
//! A process serves one compilation at a time; as many run as there are callers, and they may be started ahead. Those that have replied stay for
//! later, at most one for each core: starting one and loading LLVM takes 30 ms of a core, half as long as a small
//! kernel takes. They end with the program, whose end closes their input.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use crate::error::{Diagnostic, ErrorCode, MlirError, Severity, SourceLocation};
use crate::locate;
use crate::protocol::{self, Output, Reply, Request, Stage};
use crate::target::Target;

/// How much of what the worker wrote to its standard error goes into an error.
const LAST_WORDS: usize = 2000;

/// Settings of glibc's allocator for the worker, a variable that others do not read: what LLVM frees stays for its next pass,
/// and comes in large pages. A small kernel is done 5 % earlier, most of which the kernel of the system clears pages in, and
/// 3 % more by lists of freed pieces that have no end.
const ALLOCATOR: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432:glibc.malloc.trim_threshold=268435456:\
     glibc.malloc.mmap_threshold=268435456:glibc.malloc.tcache_count=65535",
);

/// How much of it is kept, so that a worker that never stops writing takes no memory here.
const KEPT: usize = 64 * 1024;

/// How long a greeting may be: of another program, only the beginning is shown.
const LONGEST_GREETING: u64 = 200;

/// Compiles MLIR text for `target` down to `stage`, in a worker process that has so many threads at most.
///
/// `module_text` is one `builtin.module` that holds kernels as the crate's documentation describes them. The same text
/// and target give the same output, byte for byte, whatever the number of threads.
///
/// # Errors
/// Every refusal is an [`MlirError`] with upstream's or the worker's diagnostics; see [`ErrorCode`].
/// [`ErrorCode::NoWorker`] if there is no worker program, [`ErrorCode::Aborted`] if LLVM ended it.
pub fn compile(
    module_text: &str,
    target: &Target,
    stage: Stage,
    threads: usize,
) -> Result<Output, MlirError> {
    target.check()?;
    WorkerProgram::find()?.compile(module_text, target, stage, threads)
}

/// Starts worker processes beside what the caller does until it needs them.
///
/// There are `count` then, those that waited already among them, but no more than cores. One that does not start is no error yet: [`compile`]
/// tries it again.
pub fn start(count: usize) -> Starting {
    WorkerProgram::find().map_or_else(|_| Starting(Vec::new()), |program| program.start(count))
}

/// Processes that [`start`] has started, which may not have greeted yet.
#[derive(Debug)]
#[must_use = "who does not wait for them starts others"]
pub struct Starting(Vec<JoinHandle<()>>);

impl Starting {
    /// Returns when they can be asked.
    pub fn wait(self) {
        for thread in self.0 {
            // One that has panicked has no worker to offer.
            let _ = thread.join();
        }
    }
}

/// An executable that is said to be the worker; nothing is known of it until it has greeted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerProgram {
    path: PathBuf,
}

impl WorkerProgram {
    /// The one that `SEGRA_PTX` names, else one beside this program, else one on `PATH`.
    ///
    /// # Errors
    /// [`ErrorCode::NoWorker`] if there is none; the message says how to get it.
    pub fn find() -> Result<Self, MlirError> {
        locate::find().map(Self::at)
    }

    /// The executable in this file.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// As the free function [`start`], with this program.
    pub fn start(&self, count: usize) -> Starting {
        let missing = count
            .min(most_kept())
            .saturating_sub(idle().count(&self.path));
        let start = || {
            let path = self.path.clone();
            std::thread::spawn(move || {
                if let Ok(worker) = Worker::start(&path) {
                    idle().keep(worker);
                }
            })
        };
        Starting((0..missing).map(|_| start()).collect())
    }

    /// As the free function [`compile`], with this program.
    ///
    /// # Errors
    /// Those of the free function.
    pub fn compile(
        &self,
        module_text: &str,
        target: &Target,
        stage: Stage,
        threads: usize,
    ) -> Result<Output, MlirError> {
        target.check()?;
        let request = Request {
            text: module_text.to_owned(),
            target: with_absolute_paths(target),
            stage,
            threads,
        };
        // A worker that was kept may be gone for a reason of its own, so a new one is asked, too.
        let kept = idle().take(&self.path);
        if let Some(mut worker) = kept
            && let Ok(reply) = worker.ask(&request)
        {
            idle().keep(worker);
            return reply;
        }
        let mut worker = Worker::start(&self.path)?;
        match worker.ask(&request) {
            Ok(reply) => {
                idle().keep(worker);
                reply
            }
            Err(error) => Err(worker.aborted(target, &error)),
        }
    }
}

/// The worker may have been started in another folder.
fn with_absolute_paths(target: &Target) -> Target {
    let libdevice = target
        .libdevice
        .clone()
        .map(|path| std::path::absolute(&path).unwrap_or(path));
    Target {
        libdevice,
        ..target.clone()
    }
}

/// Workers that wait for a request.
#[derive(Debug, Default)]
struct Idle(VecDeque<Worker>);

fn idle() -> MutexGuard<'static, Idle> {
    static IDLE: Mutex<Idle> = Mutex::new(Idle(VecDeque::new()));
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn most_kept() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Idle {
    /// How many run this program.
    fn count(&self, program: &Path) -> usize {
        self.0
            .iter()
            .filter(|worker| worker.program == program)
            .count()
    }

    /// One that runs this program; the one that was used last, so that those not needed are the first to go.
    fn take(&mut self, program: &Path) -> Option<Worker> {
        let found = self
            .0
            .iter()
            .rposition(|worker| worker.program == program)?;
        self.0.remove(found)
    }

    fn keep(&mut self, worker: Worker) {
        self.0.push_back(worker);
        while self.0.len() > most_kept() {
            self.0.pop_front();
        }
    }
}

/// A process that has greeted.
#[derive(Debug)]
struct Worker {
    program: PathBuf,
    child: Child,
    /// Open until the worker is to end.
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    stderr: LastWords,
}

impl Worker {
    fn start(program: &Path) -> Result<Self, MlirError> {
        let failed = |how: String| {
            MlirError::new(
                ErrorCode::NoWorker,
                format!("the worker `{}` {how}", program.display()),
            )
        };
        let mut command = Command::new(program);
        if std::env::var_os(ALLOCATOR.0).is_none() {
            command.env(ALLOCATOR.0, ALLOCATOR.1);
        }
        let started = command
            .arg(protocol::SERVE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = started.map_err(|error| failed(format!("does not start: {error}")))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(failed("has no standard streams".to_owned()));
        };
        let mut worker = Self {
            program: program.to_owned(),
            child,
            stdin: Some(stdin),
            stdout: BufReader::new(stdout),
            stderr: LastWords::of(stderr),
        };
        let greeting = worker
            .greeting()
            .map_err(|error| failed(format!("does not greet: {error}")))?;
        let expected = protocol::greeting();
        if greeting == expected {
            return Ok(worker);
        }
        let how = if greeting.is_empty() {
            let (status, said) = worker.end();
            format!("ends before it greets ({status}): {}", shortened(&said))
        } else if greeting.starts_with(&format!("{} ", protocol::PROGRAM)) {
            format!(
                "belongs to another build of Segra: it is `{greeting}`, and `{expected}` is needed; \
                 `cargo build --bin segra-ptx` builds it anew"
            )
        } else {
            format!(
                "is another program: it greets with `{}`",
                greeting.escape_debug()
            )
        };
        Err(failed(how))
    }

    /// The first line, without its end; empty if there is none.
    fn greeting(&mut self) -> io::Result<String> {
        let mut line = Vec::new();
        (&mut self.stdout)
            .take(LONGEST_GREETING)
            .read_until(b'\n', &mut line)?;
        Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
    }

    /// Sends a request and waits for its reply; an error if the worker is gone before that.
    fn ask(&mut self, request: &Request) -> io::Result<Reply> {
        self.stderr.forget();
        let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        protocol::send(stdin, request)?;
        protocol::receive(&mut self.stdout)?.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    /// Ends the process and says what it had to say.
    fn end(&mut self) -> (String, String) {
        self.stdin = None;
        let status = self.child.wait();
        let status = status.map_or_else(
            |error| error.to_string(),
            |status: ExitStatus| status.to_string(),
        );
        (status, self.stderr.take())
    }

    /// The error for a worker that is gone in the middle of a compilation.
    fn aborted(mut self, target: &Target, error: &io::Error) -> MlirError {
        let (status, said) = self.end();
        let cause = said
            .lines()
            .find(|line| line.contains("LLVM ERROR") || line.contains("error:"));
        let cause = cause.map_or_else(|| error.to_string(), |line| line.trim().to_owned());
        let message = format!(
            "LLVM gave up on the module for {} ({status}): {cause}",
            target.chip
        );
        let location = SourceLocation {
            position: None,
            text: "loc(unknown)".to_owned(),
        };
        let said = shortened(&said);
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            location,
            message: said,
            notes: Vec::new(),
        };
        MlirError::new(ErrorCode::Aborted, message).with_diagnostics(vec![diagnostic])
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Also where it has ended already: then this only takes its status, so that no zombie is left.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn shortened(said: &str) -> String {
    said.trim().chars().take(LAST_WORDS).collect()
}

/// The worker's standard error since the last request, read all the time so that the worker never waits for it.
#[derive(Debug)]
struct LastWords {
    text: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl LastWords {
    fn of(mut stream: impl Read + Send + 'static) -> Self {
        let text = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&text);
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = stream.read(&mut bytes) {
                let mut kept: MutexGuard<'_, Vec<u8>> =
                    sink.lock().unwrap_or_else(PoisonError::into_inner);
                let capacity = KEPT.saturating_sub(kept.len());
                kept.extend_from_slice(&bytes[..count.min(capacity)]);
            }
        });
        Self {
            text,
            reader: Some(reader),
        }
    }

    fn forget(&self) {
        self.text
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    /// All of it, of a process that has ended.
    fn take(&mut self) -> String {
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
        let text = std::mem::take(&mut *self.text.lock().unwrap_or_else(PoisonError::into_inner));
        String::from_utf8_lossy(&text).into_owned()
    }
}
