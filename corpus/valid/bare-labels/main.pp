# purpose: labels without quotes, where they are identifiers
config region string {
  default = "north"
}
component copy "./copy" {
  region = region
}
hook resource announce {
  command = ["true"]
}
resource bucket "harbor:storage:Bucket" {
  options {
    hooks = { afterCreate = [announce] }
  }
}
output where string {
  value = copy.region
}
