# purpose: a component under each form of range
config "wanted" "bool" {}

component "maybe" "./cell" {
  size = 1
  options {
    range = wanted
  }
}

component "many" "./cell" {
  size = range.value
  options {
    range = 4
  }
}

component "keyed" "./cell" {
  size = range.value
  name = range.key
  options {
    range = { small = 1, large = 10 }
  }
}

sizes = [for c in many : c.area]
large = keyed["large"].area
