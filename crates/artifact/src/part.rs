//! An artifact without some of its kernels.

use crate::plan::{Instr, Plan, SlotType, Stmt};
use crate::{Artifact, KernelId, Scalar, SiteId, Slot};

impl Artifact {
    /// Takes kernels out of the manifest, of which no target is to have PTX: a launch of one ends the run with a message that
    /// begins with the kernel's name and goes on with `why`.
    ///
    /// The kernels that stay keep their order; plans, entries and tunables are all there still.
    pub fn keep_kernels(&mut self, keep: &dyn Fn(KernelId) -> bool, why: &str) {
        let mut kept = Vec::new();
        let mut places = Vec::new();
        for (number, kernel) in std::mem::take(&mut self.kernels).into_iter().enumerate() {
            let stays = keep(KernelId::new(number));
            places.push(match stays {
                true => Ok(KernelId::new(kept.len())),
                false => Err(self.add_site(format!("{} {why}", kernel.name), kernel.location)),
            });
            if stays {
                kept.push(kernel);
            }
        }
        self.kernels = kept;
        for plan in &mut self.plans {
            take_out(plan, &places);
        }
    }
}

/// Renames kernels where they are launched, and ends the run where one is gone. A launch of no kernel of the manifest stays as it is.
fn take_out(plan: &mut Plan, places: &[Result<KernelId, SiteId>]) {
    for block in &mut plan.blocks {
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            let Instr::Launch(launch) = &mut stmt.instr else {
                stmts.push(stmt);
                continue;
            };
            match places.get(launch.kernel.index()) {
                Some(&Ok(place)) => launch.kernel = place,
                Some(&Err(site)) => {
                    let cond = Slot::new(plan.slots.len());
                    plan.slots.push(SlotType::BOOL);
                    let value = Scalar::bool(false);
                    stmts.push(Stmt {
                        instr: Instr::Const { dst: cond, value },
                        location: stmt.location,
                    });
                    stmt.instr = Instr::Check {
                        cond,
                        site,
                        values: Vec::new(),
                    };
                }
                None => {}
            }
            stmts.push(stmt);
        }
        block.stmts = stmts;
    }
}

#[cfg(test)]
mod tests {
    use crate::{Artifact, Kernel, KernelId, PlanBuilder};

    #[test]
    fn launches_of_what_is_left_out_end_the_run_and_others_are_renamed() {
        let mut artifact = Artifact::new("test");
        let kernels = ["a", "b", "c"].map(|name| {
            artifact.add_kernel(Kernel {
                name: name.to_owned(),
                params: Vec::new(),
                static_shared_bytes: 0,
                max_threads_per_block: 32,
                summary: String::new(),
                location: None,
            })
        });
        let mut plan = PlanBuilder::new("main");
        let one = plan.index(1);
        for kernel in kernels {
            plan.launch(kernel, [one; 3], [one; 3], None, &[]);
        }
        artifact.add_plan(plan.finish(&[]).unwrap());
        artifact.validate().unwrap();
        artifact.keep_kernels(&|kernel| kernel != KernelId(1), "is gone");
        artifact.validate().unwrap();
        let names: Vec<&str> = artifact.kernels.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["a", "c"]);
        assert_eq!(artifact.check_sites[0].message, "b is gone");
        let text = artifact.to_string();
        let of_plan: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("launch") || line.contains("check"))
            .collect();
        assert!(
            matches!(of_plan[..], [a, b, c] if a.contains("launch @a") && b.contains("check") && c.contains("launch @c")),
            "{text}"
        );
    }
}
