# purpose: component directories that include each other
component "a" "./a" {}
