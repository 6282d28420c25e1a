# purpose: hands its input on
config "in" "string" {}
output "out" {
  value = in
}
