# purpose: null as a value, as a default, in lists and in conditionals
config "maybe" "string" {
  default = null
}
config "flag" "bool" {
  default = true
}

nothing  = null
choice   = flag ? "value" : null
list     = [null, 1]
isNull   = maybe == null
fallback = maybe == null ? "none" : maybe

resource "bucket" "harbor:storage:Bucket" {
  versions = null
  public   = flag ? true : null
  labels   = null
}
