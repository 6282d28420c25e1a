# purpose: outputs without a value and with a value of the wrong type
output "nothing" {}
output "wrong" "list(int)" {
  value = "text"
}
output "unreadable" "map(string)" {
  value = [1]
}
