# purpose: calls without receiver, of unknown methods, with wrong arguments
resource "cluster" "harbor:compute:Cluster" {
  version = "1.30"
}
resource "many" "harbor:compute:Cluster" {
  version = "1.30"
  options {
    range = 2
  }
}
name = "kubeconfig"
a    = call()
b    = call(cluster, "kubeconfig")
c    = call(cluster, "kubeconfg", {})
d    = call(cluster, name, {})
e    = call("cluster", "kubeconfig", {})
f    = call(cluster, "kubeconfig", {})
g    = call(cluster, "kubeconfig", { user = ["a"] })
h    = call(many, "nodeCount", {})
i    = call(many[0], "nodeCount", {})
