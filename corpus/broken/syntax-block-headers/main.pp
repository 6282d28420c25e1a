# purpose: blocks with an equals sign, with the brace on the next line and without a body
resource "a" "harbor:storage:Bucket" = {
  versions = 1
}
resource "b" "harbor:storage:Bucket"
{
  versions = 2
}
config "c"
output "d-${1}" {
  value = 1
}
after = 1
