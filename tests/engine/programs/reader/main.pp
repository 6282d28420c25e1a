resource "library" "pulumi:pulumi:StackReference" {
  name = "organization/library/dev"
}

output "length" {
  value = getOutput(library, "length")
}

output "diary" {
  value = getOutput(library, "diary")
}
