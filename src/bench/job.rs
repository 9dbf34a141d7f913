//! LKP's `job.yaml`: what ran where, for the results beside it. Host paths and site names in it are not read.

use std::collections::BTreeMap;

use yaml_rust2::Yaml;

use super::problem::Problem;
use super::yaml;

/// What a job says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Job {
    /// `testcase`, else `suite`.
    pub test: Option<String>,
    /// 40 hex digits, or a tag.
    pub commit: Option<String>,
    /// `linus/master`.
    pub branch: Option<String>,
    /// Parameters of the test.
    pub parameters: BTreeMap<String, String>,
    /// Facts of the environment, by the names of the notification.
    pub facts: BTreeMap<String, String>,
}

/// Top-level keys that change what is measured; further ones stand in the section of the program.
const PARAMETERS: &[&str] = &[
    "nr_task",
    "nr_threads",
    "nr_processes",
    "nr_job",
    "runtime",
    "iterations",
    "mode",
    "ipc",
    "test",
    "disk",
    "nr_disks",
    "fs",
    "fs2",
    "rw",
    "bs",
    "ioengine",
    "test_size",
    "size",
    "cpufreq_governor",
    "cluster",
    "ip",
    "send_size",
    "class",
    "directio",
    "filesize",
    "filenum",
    "load",
    "option_a",
    "option_b",
    "sc_pid_max",
    "thp_enabled",
    "ucode",
];

const FACTS: &[(&str, &str)] = &[
    ("tbox_group", "machine"),
    ("model", "model"),
    ("memory", "memory"),
    ("kconfig", "kernel_config"),
    ("compiler", "compiler"),
    ("rootfs", "rootfs"),
];

/// Whether a file is one, by its name or its first keys.
pub(crate) fn claims(name: &str, text: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let keys = ["suite:", "testcase:", "tbox_group:", "job_origin:"];
    file.ends_with("job.yaml")
        || keys
            .iter()
            .filter(|key| text.lines().take(400).any(|line| line.starts_with(*key)))
            .count()
            >= 3
}

/// Reads a job.
///
/// # Errors
/// No YAML.
pub(crate) fn read(name: &str, text: &str) -> Result<Job, Vec<Problem>> {
    let document = yaml::parse(name, text)?;
    let word = |key: &str| yaml::scalar(&document[key]).filter(|text| !text.is_empty());
    let mut job = Job {
        test: word("testcase").or_else(|| word("suite")),
        commit: word("commit"),
        ..Job::default()
    };
    job.branch = word("branch");
    for &key in PARAMETERS {
        if let Some(value) = word(key) {
            job.parameters.insert(key.to_owned(), value);
        }
    }
    for program in [word("suite"), word("testcase")].into_iter().flatten() {
        let section = document[program.as_str()].as_hash();
        for (key, value) in section.into_iter().flatten() {
            if let (Yaml::String(key), Some(value)) = (key, yaml::scalar(value)) {
                job.parameters.insert(key.clone(), value);
            }
        }
    }
    for &(key, fact) in FACTS {
        if let Some(value) = word(key) {
            job.facts.insert(fact.to_owned(), value);
        }
    }
    if let Some(threads) = word("nr_cpu") {
        job.facts.insert("cpu".to_owned(), format!("{threads} threads"));
    }
    if !job.facts.contains_key("machine")
        && let Some(testbox) = word("testbox")
    {
        job.facts.insert("machine".to_owned(), testbox);
    }
    Ok(job)
}
