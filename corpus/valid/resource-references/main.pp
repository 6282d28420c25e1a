# purpose: whole resources as values of properties that refer to resources
resource "network" "harbor:network:Network" {
  cidr = "10.0.0.0/16"
}

resource "server" "harbor:compute:Server" {
  image      = "debian-13"
  apiVersion = "v2"
}

resource "spare" "harbor:compute:Server" {
  image      = "debian-13"
  apiVersion = "v2"
}

resource "cluster" "harbor:compute:Cluster" {
  version = "1.30"
  network = network
  leader  = server
  servers = [server, spare]
}

output "leaderAddress" {
  value = cluster.leader.address
}
