# purpose: includes the directory a, which includes this one
component "a" "../a" {}
