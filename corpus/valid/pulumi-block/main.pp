# purpose: the pulumi block with a literal range of versions
pulumi {
  requiredVersionRange = ">=3.100.0 <4.0.0"
}

output "stackName" {
  value = stack()
}
