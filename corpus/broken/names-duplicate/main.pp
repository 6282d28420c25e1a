# purpose: one name declared twice, in one file and as blocks of different kinds
config "size" "int" {}
size = 3

resource "bucket" "harbor:storage:Bucket" {}
component "bucket" "./part" {}

output "o" {
  value = 1
}
output "o" {
  value = 2
}
