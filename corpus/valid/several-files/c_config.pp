# purpose: what the other two files refer to
config "image" "string" {
  default = "debian-13"
}

resource "network" "harbor:network:Network" {
  cidr = "10.0.0.0/16"
}

greeting = "server at ${server.address} in ${network.cidr}"
