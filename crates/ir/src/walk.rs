//! Walking a program without recursion: every op is entered before, and left after, what is inside it; an op without
//! regions is a single step.

use crate::store::{Block, Ir, Op, Region};

/// A step of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An op without regions.
    Leaf(Op),
    /// An op with regions; they come next.
    EnterOp(Op),
    /// A block of the op entered last; its ops come next.
    EnterBlock(Block),
    /// An op whose regions are done.
    LeaveOp(Op),
}

/// An iterator over the events of `root` and everything inside.
#[derive(Debug)]
pub struct Walk<'a> {
    ir: &'a Ir,
    start: Option<Op>,
    open: Vec<Frame<'a>>,
}

/// An op that was entered and not left.
#[derive(Debug)]
struct Frame<'a> {
    op: Op,
    /// Those that were not entered.
    regions: &'a [Region],
    block: Option<Block>,
    next_op: Option<Op>,
}

impl<'a> Walk<'a> {
    /// From `root` on; nothing is entered yet.
    pub fn new(ir: &'a Ir, root: Op) -> Walk<'a> {
        Walk {
            ir,
            start: Some(root),
            open: Vec::new(),
        }
    }
    #[inline]
    fn enter(&mut self, op: Op) -> Event {
        let regions = self.ir.regions(op);
        if regions.is_empty() {
            return Event::Leaf(op);
        }
        self.open.push(Frame {
            op,
            regions,
            block: None,
            next_op: None,
        });
        Event::EnterOp(op)
    }
}

impl Iterator for Walk<'_> {
    type Item = Event;

    #[inline]
    fn next(&mut self) -> Option<Event> {
        if let Some(root) = self.start.take() {
            return Some(self.enter(root));
        }
        let ir = self.ir;
        loop {
            let frame = self.open.last_mut()?;
            if let Some(op) = frame.next_op {
                frame.next_op = ir.next_op(op);
                return Some(self.enter(op));
            }
            let following = frame.block.and_then(|block| ir.next_block(block));
            if let Some(block) = following {
                frame.block = Some(block);
                frame.next_op = ir.first_op(block);
                return Some(Event::EnterBlock(block));
            }
            frame.block = None;
            let Some((&region, rest)) = frame.regions.split_first() else {
                return self.open.pop().map(|frame| Event::LeaveOp(frame.op));
            };
            frame.regions = rest;
            if let Some(block) = ir.entry_block(region) {
                frame.block = Some(block);
                frame.next_op = ir.first_op(block);
                return Some(Event::EnterBlock(block));
            }
        }
    }
}
