# The files in the directory `account` are one component.
component admin "./account" {
  words = 3
}

component guest "./account" {}

output adminName {
  value = admin.name
}

output adminPassword {
  value = admin.password
}
