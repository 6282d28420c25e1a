# purpose: a package whose schema file is not JSON
resource "a" "garbled:index:Thing" {}
other = missing
