//! Walking a program without recursion: every op is entered before, and left after, what is inside it; an op without
//! regions is a single step.

use crate::store::{Block, Ir, Op};

/// A step of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
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
pub(crate) struct Walk<'a> {
    ir: &'a Ir,
    start: Option<Op>,
    open: Vec<Frame>,
}

/// An op that was entered and not left.
#[derive(Debug)]
struct Frame {
    op: Op,
    next_region: u32,
    block: Option<Block>,
    next_op: Option<Op>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(ir: &'a Ir, root: Op) -> Walk<'a> {
        Walk { ir, start: Some(root), open: Vec::new() }
    }
    /// Steps over the next ops of the block as long as `done` says that nothing is left to do about them; they have no
    /// regions.
    #[inline]
    pub(crate) fn pass_over(&mut self, mut done: impl FnMut(Op) -> bool) {
        let Some(frame) = self.open.last_mut() else { return };
        let mut at = frame.next_op;
        while let Some(op) = at
            && done(op)
        {
            at = self.ir.next_op(op);
        }
        frame.next_op = at;
    }
    #[inline]
    fn enter(&mut self, op: Op) -> Event {
        if self.ir.regions(op).is_empty() {
            return Event::Leaf(op);
        }
        self.open.push(Frame { op, next_region: 0, block: None, next_op: None });
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
            let Some(&region) = ir.regions(frame.op).get(frame.next_region as usize) else {
                return self.open.pop().map(|frame| Event::LeaveOp(frame.op));
            };
            frame.next_region += 1;
            if let Some(block) = ir.entry_block(region) {
                frame.block = Some(block);
                frame.next_op = ir.first_op(block);
                return Some(Event::EnterBlock(block));
            }
        }
    }
}
