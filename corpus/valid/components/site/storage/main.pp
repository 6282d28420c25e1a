# purpose: the innermost component
config "prefix" "string" {}

resource "bucket" "harbor:storage:Bucket" {
  labels = { prefix = prefix }
}

output "url" {
  value = bucket.url
}
