//! Layer edges: the absences the architecture rests on, checked on `cargo metadata`; and reasons for dependencies.
//!
//! A layer is a folder: `crates/` (mechanism), `dialects/`, `passes/`, `tools/`, `tests/`. Edges are those of
//! `[dependencies]` and `[build-dependencies]`; development dependencies count only for what needs LLVM or CUDA.

use crate::{assert_tidy, root};
use cargo_metadata::{DependencyKind, MetadataCommand};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// One workspace member.
#[derive(Clone, Debug, Default)]
struct Member {
    /// Folder from the root, such as `dialects/array`.
    folder: String,
    /// Names of what it needs to build.
    needs: BTreeSet<String>,
    /// Names of what its tests need beyond that.
    test_needs: BTreeSet<String>,
}

/// Workspace members by package name.
type Workspace = BTreeMap<String, Member>;

fn workspace() -> Workspace {
    let root = root();
    let manifest = root.join("Cargo.toml");
    let metadata = MetadataCommand::new()
        .manifest_path(manifest)
        .no_deps()
        .exec()
        .expect("cargo metadata runs");
    let mut members = Workspace::new();
    for package in metadata.packages {
        let folder = package
            .manifest_path
            .parent()
            .expect("a manifest lies in a folder");
        let folder = folder
            .strip_prefix(&root)
            .expect("members lie in the repository")
            .to_string();
        let mut member = Member {
            folder,
            ..Member::default()
        };
        for dependency in package.dependencies {
            let test_only = dependency.kind == DependencyKind::Development;
            let list = if test_only {
                &mut member.test_needs
            } else {
                &mut member.needs
            };
            list.insert(dependency.name);
        }
        members.insert(package.name.to_string(), member);
    }
    members
}

impl Member {
    fn layer(&self) -> &str {
        self.folder.split('/').next().unwrap_or_default()
    }
    /// Whether it sees everything by its job: the facade, the tools, the tests.
    fn is_on_top(&self) -> bool {
        self.folder == "crates/segra" || matches!(self.layer(), "tools" | "tests")
    }
}

/// Frontends: they stand on the facade alone, as those of other people do.
const FRONTENDS: [&str; 1] = ["crates/blas"];

/// Libraries that everything may use, and that use no other member.
const BOTTOM: [&str; 2] = ["crates/float", "crates/random"];

/// All members that building `name` needs, itself left out.
fn closure<'a>(members: &'a Workspace, name: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = vec![name];
    while let Some(next) = open.pop() {
        for need in members
            .get(next)
            .into_iter()
            .flat_map(|member| &member.needs)
        {
            if members.contains_key(need) && found.insert(need.as_str()) {
                open.push(need);
            }
        }
    }
    found
}

/// Whether a crate in folder `from` may name one in folder `to`; if not, the rule it breaks.
fn broken_rule(from: &Member, to: &Member) -> Option<&'static str> {
    if from.is_on_top() {
        return None;
    }
    let frontend = |member: &Member| FRONTENDS.contains(&member.folder.as_str());
    match (from.layer(), to.layer()) {
        _ if BOTTOM.contains(&from.folder.as_str()) => {
            Some("the bottom floor knows no other member")
        }
        _ if frontend(from) && to.folder == "crates/segra" => None,
        _ if frontend(from) => Some("a frontend stands on the facade alone"),
        _ if frontend(to) => Some("only tools and tests see a frontend"),
        (_, "tools" | "tests") => Some("nothing is built on tools or tests"),
        _ if to.folder == "crates/segra" => {
            Some("only frontends, tools and tests stand on the facade")
        }
        ("crates", "dialects" | "passes") => Some("mechanism knows no dialect and no pass"),
        ("dialects", "passes") => Some("dialects never depend on a pass"),
        ("dialects", "dialects") if to.folder != "dialects/std" => {
            Some("array, kernel and gpu never depend on each other")
        }
        ("passes", "passes") if from.folder != "passes/pipeline" => {
            Some("only passes/pipeline sees other passes")
        }
        _ => None,
    }
}

/// Edges between members that break a rule.
fn wrong_edges(members: &Workspace) -> Vec<String> {
    let mut complaints = Vec::new();
    for member in members.values() {
        for other in member.needs.iter().filter_map(|need| members.get(need)) {
            if let Some(rule) = broken_rule(member, other) {
                complaints.push(format!("{} -> {}: {rule}", member.folder, other.folder));
            }
        }
    }
    complaints
}

/// Crates that see more than their job allows: IR where there must be none, LLVM or CUDA beyond their one door.
fn wrong_knowledge(members: &Workspace) -> Vec<String> {
    let mut complaints = Vec::new();
    for (name, member) in members {
        let reach = closure(members, name);
        if matches!(
            member.folder.as_str(),
            "crates/space" | "crates/ptx" | "crates/artifact" | "crates/locality"
        ) && reach.contains("segra-ir")
        {
            complaints.push(format!("{} knows IR", member.folder));
        }
        let direct: Vec<&str> = member
            .needs
            .union(&member.test_needs)
            .map(String::as_str)
            .collect();
        for (library, door) in [
            ("melior", "crates/mlir"),
            ("mlir-sys", "crates/mlir"),
            ("cudarc", "crates/runtime"),
        ] {
            if direct.contains(&library) && member.folder != door {
                complaints.push(format!(
                    "{} depends on {library}, only {door} may",
                    member.folder
                ));
            }
        }
        // The worker is a program: whoever needs it starts it.
        if direct.contains(&"segra-mlir") {
            complaints.push(format!("{} builds or tests with LLVM", member.folder));
        }
    }
    complaints
}

/// Dependencies in the root manifest that say no reason, from the manifest's text.
fn unexplained_dependencies(manifest: &str) -> Vec<String> {
    let section = manifest
        .split("\n[")
        .find(|section| section.starts_with("workspace.dependencies]"));
    let Some(section) = section else {
        return vec!["there is no [workspace.dependencies]".to_owned()];
    };
    let mut complaints = Vec::new();
    for line in section.lines().skip(1) {
        let line = line.trim();
        let is_entry = !line.is_empty() && !line.starts_with('#') && line.contains('=');
        let (entry, comment) = line.split_once(" # ").unwrap_or((line, ""));
        if is_entry && !entry.contains("path =") && comment.trim().is_empty() {
            complaints.push(format!("no reason after: {entry}"));
        }
    }
    complaints
}

/// Dependencies a member takes from elsewhere than the root manifest, from the member's manifest. A member that tests with
/// one that is built on it names its path and a reason: cargo leaves a development dependency without a version out of
/// packages, where it would be a circle.
fn private_versions(manifest: &str) -> Vec<String> {
    let (mut in_dependencies, mut in_tests) = (false, false);
    let mut complaints = Vec::new();
    for line in manifest.lines().map(str::trim) {
        let explained_path = || {
            let (entry, why) = line.split_once(" # ").unwrap_or_default();
            entry.contains("{ path =") && !entry.contains("version") && !why.is_empty()
        };
        if let Some(section) = line.strip_prefix('[') {
            in_dependencies = section.contains("dependencies");
            in_tests = section.starts_with("dev-");
        } else if in_dependencies
            && line.contains('=')
            && !line.starts_with('#')
            && !line.contains("workspace = true")
            && !(in_tests && explained_path())
        {
            complaints.push(format!("version outside of the root manifest: {line}"));
        }
    }
    complaints
}

#[test]
fn crates_depend_only_on_what_their_layer_allows() {
    let members = workspace();
    assert!(
        members.len() >= 20,
        "the workspace has {} members",
        members.len()
    );
    assert_tidy(&wrong_edges(&members));
}

#[test]
fn only_the_worker_sees_llvm_and_only_one_crate_sees_cuda() {
    assert_tidy(&wrong_knowledge(&workspace()));
}

#[test]
fn every_dependency_says_why() {
    let manifest =
        fs::read_to_string(root().join("Cargo.toml")).expect("the root manifest is there");
    assert_tidy(&unexplained_dependencies(&manifest));
    for member in workspace().values() {
        let manifest = root().join(&member.folder).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).expect("members have manifests");
        assert_tidy(&private_versions(&manifest));
    }
}

/// A small workspace: (folder, needs, needs of its tests); the package of `crates/x` is `segra-x`.
fn sample(rows: &[(&str, &[&str], &[&str])]) -> Workspace {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let member = |folder: &str, needs, test_needs| Member {
        folder: folder.to_owned(),
        needs,
        test_needs,
    };
    let name = |folder: &str| match folder {
        "crates/segra" => "segra".to_owned(),
        _ => format!("segra-{}", folder.rsplit('/').next().unwrap_or_default()),
    };
    rows.iter()
        .map(|(folder, needs, tests)| (name(folder), member(folder, list(needs), list(tests))))
        .collect()
}

#[test]
fn wrong_edges_are_found() {
    let good = [
        ("crates/ir", &["smallvec", "segra-float"][..], &[][..]),
        ("crates/float", &["num-bigint"], &["segra-random"]),
        ("crates/segra", &["segra-array", "segra-pipeline"], &[]),
        ("crates/blas", &["segra", "strsim"], &[]),
        (
            "dialects/array",
            &["segra-ir", "segra-std"],
            &["segra-flatten"],
        ),
        ("dialects/gpu", &["segra-ir"], &[]),
        ("dialects/std", &["segra-ir"], &[]),
        ("passes/flatten", &["segra-array", "segra-gpu"], &[]),
        ("passes/pipeline", &["segra-flatten"], &[]),
        ("tools/opt", &["segra-pipeline", "segra"], &[]),
    ];
    assert_eq!(wrong_edges(&sample(&good)), [""; 0]);
    let bad: [(&str, &str, &str); 10] = [
        (
            "crates/blas",
            "segra-array",
            "a frontend stands on the facade alone",
        ),
        (
            "passes/flatten",
            "segra-blas",
            "only tools and tests see a frontend",
        ),
        (
            "crates/ir",
            "segra-std",
            "mechanism knows no dialect and no pass",
        ),
        (
            "dialects/array",
            "segra-flatten",
            "dialects never depend on a pass",
        ),
        (
            "dialects/array",
            "segra-gpu",
            "array, kernel and gpu never depend on each other",
        ),
        (
            "dialects/std",
            "segra-array",
            "array, kernel and gpu never depend on each other",
        ),
        (
            "passes/flatten",
            "segra-pipeline",
            "only passes/pipeline sees other passes",
        ),
        (
            "passes/flatten",
            "segra",
            "only frontends, tools and tests stand on the facade",
        ),
        (
            "dialects/gpu",
            "segra-opt",
            "nothing is built on tools or tests",
        ),
        (
            "crates/float",
            "segra-ir",
            "the bottom floor knows no other member",
        ),
    ];
    for (folder, need, rule) in bad {
        let mut members = sample(&good);
        let member = members
            .values_mut()
            .find(|member| member.folder == folder)
            .expect("the sample has it");
        member.needs.insert(need.to_owned());
        let complaints = wrong_edges(&members);
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(
            complaints[0].starts_with(folder) && complaints[0].ends_with(rule),
            "{complaints:?}"
        );
    }
}

#[test]
fn wrong_knowledge_is_found() {
    let members = sample(&[
        ("crates/mlir", &["melior"], &[]),
        ("crates/runtime", &["cudarc", "segra-ptx"], &[]),
        ("crates/segra", &["segra-worker", "segra-runtime"], &[]),
        ("tools/segra", &["segra"], &[]),
    ]);
    assert_eq!(wrong_knowledge(&members), [""; 0]);
    let members = sample(&[
        ("crates/ir", &[], &[]),
        ("crates/helper", &["segra-ir"], &["cudarc"]),
        ("crates/space", &["segra-helper"], &[]),
        ("crates/mlir", &["melior"], &[]),
        ("crates/segra", &["segra-mlir"], &[]),
        ("dialects/gpu", &["mlir-sys"], &["segra-mlir"]),
    ]);
    let wanted = [
        "crates/segra builds or tests with LLVM",
        "dialects/gpu depends on mlir-sys, only crates/mlir may",
        "dialects/gpu builds or tests with LLVM",
        "crates/helper depends on cudarc, only crates/runtime may",
        "crates/space knows IR",
    ];
    assert_eq!(wrong_knowledge(&members), wanted);
}

#[test]
fn missing_reasons_and_private_versions_are_found() {
    let manifest = "[workspace]\n[workspace.dependencies]\n# Ours.\nours = { path = \"x\" }\n\
        good = \"1\" # does this\nbad = \"1\"\nworse = \"1\" # \n[profile.dev]\nopt-level = 1\n";
    assert_eq!(
        unexplained_dependencies(manifest),
        [
            "no reason after: bad = \"1\"",
            "no reason after: worse = \"1\" #"
        ]
    );
    assert_eq!(unexplained_dependencies("[workspace]\n").len(), 1);
    let manifest = "[package]\nname = \"x\"\n[dependencies]\na.workspace = true\nb = { workspace = true }\n\
        d = { path = \"../d\" } # why\n[dev-dependencies]\nc = \"1\"\ne = { path = \"../e\" } # why\n\
        f = { path = \"../f\" }\n";
    assert_eq!(
        private_versions(manifest),
        [
            "version outside of the root manifest: d = { path = \"../d\" } # why",
            "version outside of the root manifest: c = \"1\"",
            "version outside of the root manifest: f = { path = \"../f\" }",
        ]
    );
}
