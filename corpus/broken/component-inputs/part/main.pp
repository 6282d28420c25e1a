# purpose: a component with one required and one optional input
config "name" "string" {}
config "size" "int" {
  default = 1
}
output "out" {
  value = name
}
