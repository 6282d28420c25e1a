# purpose: locals, a config and a resource that need each other, and a local that needs itself
a = b
b = c
c = a

self = self + 1

config "d" "string" {
  default = bucket.url
}
resource "bucket" "harbor:storage:Bucket" {
  labels = { d = d }
}

free = 1
