# purpose: two pulumi blocks, one with a value of the wrong type; a reference into it
pulumi {
  requiredVersionRange = [1]
}
pulumi {
  requiredVersion = ">=3"
}
x = pulumi.requiredVersionRange
