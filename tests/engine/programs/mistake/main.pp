config "position" "int" {}

output "letter" {
  value = element(["a", "b"], position)
}

output "number" {
  value = fromBase64("*")
}
