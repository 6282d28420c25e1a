# purpose: two uses of a component that has a mistake inside, and one of a component that does not parse
component "first" "./wrong" {}
component "second" "./wrong" {}
component "third" "./unparsable" {}
fine = first.out
