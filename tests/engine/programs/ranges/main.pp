package {
  baseProviderName    = "simple"
  baseProviderVersion = "2.0.0"
}

config "count" "int" {}

config "names" "list(string)" {}

config "wanted" "map(bool)" {}

config "last" "bool" {}

resource "numbered" "simple:index:Resource" {
  value = range.value == 0
  options {
    range = count
  }
}

resource "listed" "simple:index:Resource" {
  value = range.value == "b"
  options {
    range = names
  }
}

resource "keyed" "simple:index:Resource" {
  value = range.value
  options {
    range = wanted
  }
}

resource "optional" "simple:index:Resource" {
  value = true
  options {
    range = last
  }
}

output "numbered" {
  value = numbered[*].value
}

output "listed" {
  value = listed[*].value
}
