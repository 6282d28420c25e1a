//! Replaced or deleted resources that hold data.

use pcl_diagnostics::{Code, Diagnostic, Span};

use crate::plan::Plan;
use crate::step::{Op, Step};

/// The names of types of resources that hold data, in any module.
const NAMES: &[&str] = &[
    "bucket",
    "bucketv2",
    "database",
    "databasecluster",
    "databaseinstance",
    "dbcluster",
    "dbinstance",
    "disk",
    "filesystem",
    "flexibleserver",
    "keyvault",
    "manageddisk",
    "persistentvolume",
    "persistentvolumeclaim",
    "replicationgroup",
    "repository",
    "secret",
    "storageaccount",
    "userpool",
    "vault",
    "volume",
];

/// Modules, each with a name of a type of resources that hold data.
const IN_MODULES: &[(&str, &str)] = &[
    ("bigquery", "dataset"),
    ("bigquery", "table"),
    ("bigtable", "instance"),
    ("cosmosdb", "account"),
    ("docdb", "cluster"),
    ("dynamodb", "table"),
    ("ecr", "repository"),
    ("elasticache", "cluster"),
    ("elasticsearch", "domain"),
    ("kms", "key"),
    ("neptune", "cluster"),
    ("opensearch", "domain"),
    ("rds", "cluster"),
    ("rds", "instance"),
    ("redis", "instance"),
    ("redshift", "cluster"),
    ("spanner", "instance"),
    ("sql", "server"),
    ("storage", "account"),
];

/// Returns true for the type of a resource that holds data.
fn is_stateful(kind: &str) -> bool {
    let lower = kind.to_ascii_lowercase();
    let mut parts = lower.splitn(3, ':').skip(1);
    let module = parts.next().unwrap_or_default().split('/').next().unwrap_or_default();
    let name = parts.next().unwrap_or_default();
    NAMES.contains(&name)
        || IN_MODULES.iter().any(|(within, own)| module.starts_with(within) && *own == name)
}

pub(super) fn hints(plan: &Plan, start: Span) -> Vec<Diagnostic> {
    let goes = |step: &&Step| {
        matches!(step.op, Op::Replace | Op::Delete)
            && step.is_custom
            && !step.is_retained
            && is_stateful(step.kind())
    };
    let place = |step: &Step| {
        let old = plan.prior.get(step.prior?)?;
        step.source.or(old.source)
    };
    let gone = plan.steps.iter().filter(goes);
    gone.map(|step| stateful(step, place(step).unwrap_or(start))).collect()
}

/// A resource that holds data goes.
fn stateful(step: &Step, at: Span) -> Diagnostic {
    let done = if step.op == Op::Delete { "deleted" } else { "replaced" };
    let (name, kind) = (step.name(), step.kind());
    let message = format!("`{name}` of the type `{kind}` holds data, and is {done}");
    Diagnostic::warning(Code::PlanStateful, at, message)
        .note(format!("the reason: {}", step.reason))
        .help("save its data first; the option `protect` refuses to delete a resource")
}

#[cfg(test)]
mod tests {
    use super::is_stateful;

    #[test]
    fn types_that_hold_data_are_known_by_their_names() {
        for kind in [
            "aws:s3/bucket:Bucket",
            "aws:rds/instance:Instance",
            "gcp:sql/databaseInstance:DatabaseInstance",
            "azure-native:storage:StorageAccount",
            "kubernetes:core/v1:PersistentVolumeClaim",
        ] {
            assert!(is_stateful(kind), "{kind}");
        }
        for kind in
            ["aws:s3/bucketPolicy:BucketPolicy", "aws:ec2/instance:Instance", "aws:ec2:RouteTable"]
        {
            assert!(!is_stateful(kind), "{kind}");
        }
    }
}
