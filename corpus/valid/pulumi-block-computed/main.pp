# purpose: the pulumi block may refer to configuration
config "floor" "string" {
  default = "3.0.0"
}

pulumi {
  requiredVersionRange = ">=${floor}"
}
