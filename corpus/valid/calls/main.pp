# purpose: methods of resources, with and without arguments, wrapped and plain
resource "cluster" "harbor:compute:Cluster" {
  version = "1.30"
}

kubeconfig = call(cluster, "kubeconfig", { user = "captain" }).text
short      = call(cluster, "kubeconfig", { user = cluster.endpoint, expiresIn = 60 })
nodes      = call(cluster, "nodeCount", {})

output "config" {
  value = secret(kubeconfig)
}

output "doubled" {
  value = nodes * 2
}
