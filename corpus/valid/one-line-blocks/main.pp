# purpose: blocks on one line, empty and with one attribute
config "a" "string" { default = "x" }
config "b" {}
config c { default = true }
output "d" { value = a }
resource "e" "harbor:storage:Bucket" {}
resource "f" "harbor:storage:Bucket" { versions = 2 }
pulumi { requiredVersionRange = "3.x" }
