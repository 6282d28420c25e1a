# purpose: the mistake is here
output "out" {
  value = missing
}
