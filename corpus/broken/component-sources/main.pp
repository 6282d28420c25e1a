# purpose: components whose directory is missing, is the program itself or holds no program; one without a token
component "missing" "./nowhere" {}
component "itself" "." {}
component "hollow" "./hollow" {}
component "tokenless" {
  x = 1
}
component "file" "./main.pp" {}
