# purpose: provider resources, explicit and handed on
config "token" "string" {
  secret = true
}

resource "north" "pulumi:providers:harbor" {
  region = "north"
  token  = token
}

resource "south" "pulumi:providers:harbor" {
  region      = "south"
  defaultTags = { side = "south" }
  options {
    parent = north
  }
}

resource "bucket" "harbor:storage:Bucket" {
  options {
    provider = north
  }
}

component "copy" "./copy" {
  options {
    providers = [south]
  }
}

component "keyed" "./copy" {
  options {
    providers = { harbor = north }
  }
}
