# purpose: a component that takes its provider from outside
resource "bucket" "harbor:storage:Bucket" {}
output "url" {
  value = bucket.url
}
