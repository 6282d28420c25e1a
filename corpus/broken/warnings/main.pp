# purpose: a program that is accepted, with warnings: ignored attributes, duplicate keys, a property in the wrong case
config "x" "string" {
  default = "y"
  comment = "ignored"
}
resource "bucket" "harbor:storage:Bucket" {
  labels = { a = "1", a = "2" }
}
output "url" {
  value = bucket.URL
}
