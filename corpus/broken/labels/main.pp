# purpose: blocks with too few or too many labels
resource {}
resource "one" {}
resource "a" "harbor:storage:Bucket" "c" {}
read {}
config {}
config "a" "string" "c" {}
output {}
output "a" "string" "c" {
  value = 1
}
component {}
component "a" "b" "c" {}
hook {}
hook "resource" {
  command = ["true"]
}
hook "nightly" "h" {
  command = ["true"]
}
pulumi "x" {}
package "a" "b" {}
good = 1
