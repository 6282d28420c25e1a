//! The packages that people know: a name among them is not a misspelling of another package.

use pcl_diagnostics::suggest;

use pcl_newcomers::terraform;

/// The names of well-known Pulumi packages, in order.
pub(crate) const PACKAGES: &[&str] = &[
    "aiven",
    "akamai",
    "alicloud",
    "archive",
    "artifactory",
    "astra",
    "auth0",
    "auto-deploy",
    "aws",
    "aws-apigateway",
    "aws-iam",
    "aws-native",
    "aws-static-website",
    "awsx",
    "azapi",
    "azure",
    "azure-native",
    "azuread",
    "azuredevops",
    "buildkite",
    "checkpoint",
    "civo",
    "cloudamqp",
    "cloudflare",
    "cloudinit",
    "cockroach",
    "command",
    "confluentcloud",
    "consul",
    "databricks",
    "datadog",
    "dbtcloud",
    "digitalocean",
    "dnsimple",
    "docker",
    "docker-build",
    "doppler",
    "ec",
    "eks",
    "elasticstack",
    "equinix",
    "esxi-native",
    "exoscale",
    "external",
    "f5bigip",
    "fastly",
    "fusionauth",
    "gandi",
    "gcp",
    "git",
    "github",
    "gitlab",
    "google-native",
    "grafana",
    "harness",
    "hcloud",
    "hcp",
    "heroku",
    "http",
    "ise",
    "kafka",
    "keycloak",
    "kong",
    "kubernetes",
    "kubernetes-cert-manager",
    "kubernetes-ingress-nginx",
    "linode",
    "local",
    "mailgun",
    "matchbox",
    "meraki",
    "minio",
    "mongodbatlas",
    "mssql",
    "mysql",
    "neon",
    "newrelic",
    "nomad",
    "ns1",
    "null",
    "oci",
    "okta",
    "onelogin",
    "openstack",
    "opsgenie",
    "ovh",
    "pagerduty",
    "postgresql",
    "proxmoxve",
    "pulumiservice",
    "qdrant-cloud",
    "rabbitmq",
    "rancher2",
    "random",
    "rke",
    "scaleway",
    "scm",
    "sdwan",
    "sendgrid",
    "sentry",
    "signalfx",
    "slack",
    "snowflake",
    "splunk",
    "spotinst",
    "statuscake",
    "std",
    "stripe",
    "sumologic",
    "synced-folder",
    "tailscale",
    "terraform",
    "terraform-module",
    "terraform-provider",
    "time",
    "tls",
    "twingate",
    "upstash",
    "vault",
    "vercel",
    "venafi",
    "volcengine",
    "vsphere",
    "vultr",
    "wavefront",
    "xyz",
    "yandex",
    "zitadel",
];

/// Names that people give packages.
const NICKNAMES: &[(&str, &[&str])] = &[("k8s", &["kubernetes"]), ("kube", &["kubernetes"])];

/// The package that a name without a schema is probably meant to be: one that it is another name
/// of, one of the `loadable` packages that is spelled alike, else a well-known one. A well-known
/// name is not a misspelling.
pub fn similar_package(name: &str, loadable: &[String]) -> Option<String> {
    if PACKAGES.contains(&name) {
        return None;
    }
    let mut other_names = NICKNAMES.iter().chain(terraform::PACKAGES);
    if let Some((_, meant)) = other_names.find(|(other, _)| *other == name) {
        let is_loadable = |meant: &&&str| loadable.iter().any(|name| name == **meant);
        let meant = meant.iter().find(is_loadable).or(meant.first())?;
        return Some((*meant).to_owned()).filter(|meant| meant != name);
    }
    let alike = suggest(name, loadable.iter().map(String::as_str));
    let known = || suggest(name, PACKAGES.iter().copied());
    alike.or_else(known).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_listed_twice() {
        let mut sorted = PACKAGES.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), PACKAGES.len());
    }
}
