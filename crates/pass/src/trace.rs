//! A trace of passes in the format of Chrome's viewer (`chrome://tracing`, Perfetto): one row a thread, one bar a run.

use crate::instrument::{Instrumentation, PassEvent, PipelineEvent, op_title};
use crate::pass::Changed;
use segra_ir::Ir;
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// One bar of the trace.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Span {
    name: String,
    op: String,
    thread: usize,
    start: Duration,
    length: Duration,
}

/// The bars, shared between the instrumentation and who writes them.
#[derive(Clone, Debug)]
pub struct Trace {
    begin: Instant,
    spans: Arc<Mutex<Vec<Span>>>,
    threads: Arc<AtomicUsize>,
}

impl Default for Trace {
    fn default() -> Self {
        Trace::new()
    }
}

impl Trace {
    /// A trace that begins now.
    pub fn new() -> Trace {
        Trace {
            begin: Instant::now(),
            spans: Arc::default(),
            threads: Arc::new(AtomicUsize::new(1)),
        }
    }
    fn spans(&self) -> MutexGuard<'_, Vec<Span>> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Adds something that is not a pass (reading, printing) and ended now.
    pub fn record(&self, name: &str, length: Duration) {
        let start = self.begin.elapsed().saturating_sub(length);
        self.spans().push(Span {
            name: name.to_owned(),
            op: String::new(),
            thread: 0,
            start,
            length,
        });
    }
    /// The instrumentation that adds passes.
    pub fn instrumentation(&self) -> TracePasses {
        TracePasses {
            trace: self.clone(),
            thread: 0,
            open: Vec::new(),
        }
    }
    /// The trace as JSON: an array of complete events, times in microseconds.
    pub fn json(&self) -> String {
        let mut out = String::from("[");
        for (index, span) in self.spans().iter().enumerate() {
            out += if index == 0 { "\n" } else { ",\n" };
            out += "{\"ph\": \"X\", \"cat\": \"pass\", \"pid\": 1, \"name\": ";
            quote(&span.name, &mut out);
            let micros = |time: Duration| time.as_secs_f64() * 1e6;
            let _ = write!(
                out,
                ", \"tid\": {}, \"ts\": {:.3}, \"dur\": {:.3}",
                span.thread,
                micros(span.start),
                micros(span.length)
            );
            out += ", \"args\": {\"op\": ";
            quote(&span.op, &mut out);
            out += "}}";
        }
        out + "\n]\n"
    }
}

/// Adds a text as a JSON string.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Fills a [`Trace`].
#[derive(Debug)]
pub struct TracePasses {
    trace: Trace,
    thread: usize,
    /// Name, op and start of what has not ended.
    open: Vec<(String, String, Duration)>,
}

impl TracePasses {
    fn start(&mut self, name: String, op: String) {
        self.open.push((name, op, self.trace.begin.elapsed()));
    }
    fn stop(&mut self) {
        if let Some((name, op, start)) = self.open.pop() {
            let length = self.trace.begin.elapsed().saturating_sub(start);
            self.trace.spans().push(Span {
                name,
                op,
                thread: self.thread,
                start,
                length,
            });
        }
    }
}

impl Instrumentation for TracePasses {
    fn before_pipeline(&mut self, event: PipelineEvent<'_>) {
        self.start(format!("'{}' Pipeline", event.anchor), String::new());
    }
    fn after_pipeline(&mut self, _: PipelineEvent<'_>) {
        self.stop();
    }
    fn before_pass(&mut self, event: PassEvent<'_>, ir: &Ir) {
        self.start(event.name().to_owned(), op_title(ir, event.op));
    }
    fn after_pass(&mut self, _: PassEvent<'_>, _: &Ir, _: Changed) {
        self.stop();
    }
    fn after_failed_pass(&mut self, event: PassEvent<'_>, _: &Ir) {
        // After a pass that succeeded and left something wrong the bar is closed already.
        if self.open.last().is_some_and(|row| row.0 == event.name()) {
            self.stop();
        }
    }
    fn after_panic(&mut self, _: PassEvent<'_>) {
        self.stop();
    }
    fn fork(&self) -> Option<Box<dyn Instrumentation + Send>> {
        let thread = self.trace.threads.fetch_add(1, Ordering::Relaxed);
        Some(Box::new(TracePasses {
            trace: self.trace.clone(),
            thread,
            open: Vec::new(),
        }))
    }
}
