# purpose: unknown attributes, values of the wrong type and missing required ones
resource "server" "harbor:compute:Server" {
  imag       = "debian-13"
  apiVersion = "v2"
  tier       = [1]
  disks      = { size = 3 }
  cpus       = { count = 2 }
  rootDisk   = { name = "no size" }
}

resource "record" "harbor:network:Record" {
  name   = "www"
  values = "10.0.0.1"
}

resource "subnet" "harbor:network:Subnet" {}

resource "object" "harbor:storage:Object" {
  bucket = server.id
  source = "./file.txt"
}
