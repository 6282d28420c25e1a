# purpose: logical names that are no identifiers, on every block that takes one
config "region" "string" {
  __logicalName = "aws:region"
  default       = "x"
}

resource "bucket" "harbor:storage:Bucket" {
  __logicalName = "my bucket \u2014 of things"
}

read "known" "harbor:storage:Bucket" {
  __logicalName = "known/bucket"
  id            = "b-1"
}

output "bucketUrl" {
  __logicalName = "bucket-url"
  value         = bucket.url
}

output "knownUrl" {
  value = known.url
}
