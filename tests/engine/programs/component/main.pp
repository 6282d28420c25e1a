component "upstairs" "./floor" {
  name = "upstairs"
}

component "downstairs" "./floor" {
  name = "under ${upstairs.label}"
}

output "labels" {
  value = [upstairs.label, downstairs.label]
}
