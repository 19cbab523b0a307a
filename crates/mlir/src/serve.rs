//! Answers requests, one after the other, until the input ends.

use segra_worker::protocol::{self, Request};
use std::io::{self, Read, Write};

use crate::compile::compile;

/// Greets, then replies to every request.
pub(crate) fn serve(input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "{}", protocol::greeting())?;
    output.flush()?;
    while let Some(request) = protocol::receive::<Request>(input)? {
        let Request {
            text,
            target,
            stage,
            threads,
        } = request;
        protocol::send(output, &compile(&text, &target, stage, threads))?;
    }
    Ok(())
}
