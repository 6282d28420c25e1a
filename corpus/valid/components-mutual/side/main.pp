# purpose: either of the two sides
config "partner" "string" {}

output "name" {
  value = "a side"
}

output "sizes" {
  value = [length(partner), 2]
}
