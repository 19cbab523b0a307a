//! `segra tune --orders`: a program in several orders of its points, as they are measured.
//!
//! Prasetya, "Column-based iteration" (2022), 5.1: the width that is best does not follow from the estimate of the working set, so
//! it is measured. Beside the orders runs the program as it is compiled without one, in versions and with tiles: no order is
//! chosen where that costs no more.

use crate::args::Tune as Args;
use crate::data::Bench;
use crate::order::Order;
use crate::report::Error;
use crate::thresholds::Choices;
use crate::tried::Tried;

/// Runs the orders; the program in the one that costs least.
pub(crate) fn best(args: &Args, orders: &[Order]) -> Result<(Bench, Tried<Order>), Error> {
    // Before anything is measured.
    if let Some(order) = orders.iter().find(|order| order.columns().is_none()) {
        return Err(Error::message(format!(
            "`{order}` cannot be tuned to: tuning files have orders linear@THREADS and column:WIDTH@THREADS"
        )));
    }
    Tried::measured(
        "order",
        args,
        |_| orders.to_vec(),
        |order| Choices {
            order,
            ..Choices::default()
        },
    )
}
