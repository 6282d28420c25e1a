# purpose: type tokens that are malformed, misspelled or of a package that does not exist
resource "a" "harbor" {}
resource "b" "harbor:storage:Bukket" {}
resource "c" "harbor:strage:Bucket" {}
resource "d" "harbour:storage:Bucket" {}
resource "e" "a:b:c:d" {}
resource "f" "harbor::" {}
resource "g" "pulumi:providers:nowhere" {}
ok = 1
