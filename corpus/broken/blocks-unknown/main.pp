# purpose: blocks of kinds that nobody knows, and attributes that no block reads
resorce "bucket" "harbor:storage:Bucket" {
  versions = 1
}
variable "region" {
  type = string
}
locals {
  a = 1
}
provider "harbor" {}
config "x" "string" {
  defualt = "y"
  validation {
    rule = true
  }
}
output "y" {
  value     = x
  sensitive = true
}
