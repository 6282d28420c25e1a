# purpose: this does not parse
output "out" {
  value = = 1
}
