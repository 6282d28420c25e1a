# purpose: a component: a bucket and one object for each file
config "label" "string" {}

config "files" "map(string)" {
  default = {}
}

resource "bucket" "harbor:storage:Bucket" {
  public = true
  labels = { purpose = label }
}

resource "objects" "harbor:storage:Object" {
  bucket      = bucket.id
  key         = range.key
  source      = stringAsset(range.value)
  contentType = "text/plain"
  options {
    range = files
  }
}

output "urls" {
  value = { for name, object in objects : name => "${bucket.url}/${object.key}" }
}
