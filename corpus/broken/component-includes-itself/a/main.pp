# purpose: includes the directory b, which includes this one
component "b" "../b" {}
