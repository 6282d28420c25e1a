# purpose: a block whose closing brace was forgotten; what follows is still read
resource "bucket" "harbor:storage:Bucket" {
  versions = 3

output "url" {
  value = bucket.url
}

config "later" "string" {}
