# purpose: the last line has no newline
x = 1
output "y" {
  value = x
}