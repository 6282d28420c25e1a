# purpose: resources with scalars, lists, maps, nested objects, enums, consts and plain properties
resource "network" "harbor:network:Network" {
  cidr = "10.0.0.0/16"
  tags = {
    team        = "web"
    "cost-unit" = "1234"
  }
}

resource "server" "harbor:compute:Server" {
  image      = "debian-13"
  apiVersion = "v2"
  tier       = 2
  cpus       = 1.5
  password   = secret("hunter2")
  subnetId   = network.id
  settings   = { anything = ["goes", 1, true, null] }
  policy     = toJSON({ allow = [network.urn] })
  portName   = 8080
  rootDisk = {
    size      = 20
    name      = "root"
    encrypted = true
    mounts    = ["/", "/home"]
  }
  disks = [
    { size = 100, mounts = ["/data"] },
    { size = 200, name = "spare" },
  ]
}

resource "balancer" "harbor:network:LoadBalancer" {
  ports = [
    { number = 80, protocol = "http" },
    { number = 443, protocol = "https", open = true }
  ]
  targets = [server.address]
  check = {
    path = "/healthz"
    port = { number = 80 }
    headers = { accept = "text/plain" }
  }
  weights = { main = 10, spare = 1 }
}

resource "plain" "harbor:storage:Bucket" {}
