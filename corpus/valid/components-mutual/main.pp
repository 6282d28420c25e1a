# purpose: two components that need each other's outputs: the only cycle that is allowed
component "left" "./side" {
  partner = right.name
}

component "right" "./side" {
  partner = "${left.name}, the first of ${left.sizes[0]}"
}

output "both" {
  value = "${left.name} and ${right.name}"
}
