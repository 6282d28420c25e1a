# purpose: the resource between the outputs before it and the configuration after it
resource "server" "harbor:compute:Server" {
  image      = image
  apiVersion = "v2"
  subnetId   = subnet.id
}

resource "subnet" "harbor:network:Subnet" {
  networkId = network.id
  cidr      = "10.0.1.0/24"
}
