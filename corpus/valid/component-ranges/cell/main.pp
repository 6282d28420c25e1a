# purpose: a component without resources
config "size" "int" {}
config "name" "string" {
  default = "cell"
}
output "area" {
  value = size * size
}
