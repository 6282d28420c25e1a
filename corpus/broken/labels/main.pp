# purpose: blocks with too few or too many labels
resource {}
resource "one" {}
resource "a" "harbor:storage:Bucket" "c" {}
read {}
config {}
config "b" "string" "c" {}
output {}
output "o" "string" "c" {
  value = 1
}
component {}
component "d" "e" "f" {}
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
