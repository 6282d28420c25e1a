# purpose: reading resources that exist already
config "networkId" "string" {}

read "network" "harbor:network:Network" {
  id   = networkId
  cidr = "10.0.0.0/16"
}

read "bucket" "harbor:storage:Bucket" {
  __logicalName = "the bucket"
  id            = "bucket-7"
  options {
    protect = true
  }
}

resource "subnet" "harbor:network:Subnet" {
  networkId = network.id
  cidr      = "10.0.3.0/24"
  zone      = network.zones[0]
}

output "bucketUrl" {
  value = bucket.url
}
