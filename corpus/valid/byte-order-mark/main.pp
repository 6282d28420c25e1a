# purpose: a byte order mark before the first token
x = 1
output "y" {
  value = x
}
