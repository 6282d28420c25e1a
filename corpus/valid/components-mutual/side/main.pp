# purpose: either of the two sides
config "partner" "string" {}

output "name" {
  value = "with ${partner}"
}

output "sizes" {
  value = [length(partner), 2]
}
