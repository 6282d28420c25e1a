# purpose: values that convert on the way into a property: numbers to text, text to numbers, objects to maps
config "text" "string" {}
config "number" "number" {}

resource "bucket" "harbor:storage:Bucket" {
  public   = "true"
  versions = text
  labels   = { count = 1, flag = true, half = number }
}

resource "server" "harbor:compute:Server" {
  image      = 13
  apiVersion = "v2"
  cpus       = "2"
  userData   = true
  disks      = [{ size = "10", mounts = [1, 2] }]
}

sum = "1" + 2
