# purpose: ranges over what cannot be iterated, and range.key where there is none
resource "a" "harbor:storage:Bucket" {
  options {
    range = "abc"
  }
}
resource "b" "harbor:storage:Bucket" {
  labels = { n = range.key }
  options {
    range = 3
  }
}
resource "c" "harbor:storage:Bucket" {
  versions = range.value
}
