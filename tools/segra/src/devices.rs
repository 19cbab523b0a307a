//! `segra devices`.

use crate::args::Devices;
use crate::output;
use crate::report::Error;
use segra::DeviceChoice;
use serde_json::{Value, json};

/// Lists the devices of this machine.
pub(crate) fn devices(args: &Devices) -> Result<(), Error> {
    let mut rows: Vec<Value> = Vec::new();
    let mut text = String::new();
    for choice in [DeviceChoice::Cuda, DeviceChoice::Sim] {
        match segra_runtime::open(choice) {
            Ok(device) => {
                let info = device.info();
                text += &format!("{choice:<5} {} ({})\n", info.name, info.chip());
                rows.push(json!({
                    "device": choice.to_string(),
                    "available": true,
                    "name": info.name,
                    "chip": info.chip(),
                    "max_threads_per_block": info.max_threads_per_block,
                    "max_shared_bytes": info.max_shared_bytes,
                }));
            }
            Err(error) => {
                text += &format!("{choice:<5} not available: {error}\n");
                rows.push(
                    json!({ "device": choice.to_string(), "available": false, "why": error.to_string() }),
                );
            }
        }
    }
    if args.json {
        return output::print(&format!("{}\n", json!({ "devices": rows })));
    }
    output::print(&text)
}
