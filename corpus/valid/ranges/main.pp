# purpose: every form of the range option and what a reference to the resource then is
config "wanted" "bool" {}
config "number" "int" {}
config "names" "list(string)" {}
config "byName" "map(int)" {}

resource "maybe" "harbor:storage:Bucket" {
  options {
    range = wanted
  }
}

resource "counted" "harbor:storage:Bucket" {
  versions = range.value
  options {
    range = number
  }
}

resource "literally" "harbor:storage:Bucket" {
  options {
    range = 3
  }
}

resource "listed" "harbor:network:Record" {
  name   = range.value
  values = ["${range.key}"]
  options {
    range = names
  }
}

resource "tupled" "harbor:network:Record" {
  name   = range.value
  values = []
  options {
    range = ["www", "mail"]
  }
}

resource "mapped" "harbor:network:Record" {
  name   = range.key
  ttl    = range.value
  values = []
  options {
    range = byName
  }
}

resource "shaped" "harbor:network:Record" {
  name   = range.key
  values = [range.value.address]
  options {
    range = {
      www  = { address = "10.0.0.1" }
      mail = { address = "10.0.0.2" }
    }
  }
}

resource "hidden" "harbor:network:Record" {
  name   = range.value
  values = []
  options {
    range = secret(["a", "b"])
  }
}

resource "asked" "harbor:network:Record" {
  name   = range.value
  values = []
  options {
    range = invoke("harbor:network:listZones", {})
  }
}

resource "chosen" "harbor:storage:Bucket" {
  options {
    range = wanted ? 1 : 0
  }
}

firstUrl  = counted[0].url
allUrls   = literally[*].url
wwwRecord = mapped["www"].fqdn
mailName  = shaped["mail"].name
single    = singleOrNone(chosen)
