# purpose: a component of its own: configuration in, outputs out, and another component inside
config "domain" "string" {
  description = "The name that the site answers to"
}

config "servers" "int" {
  default = 1
}

component "storage" "./storage" {
  prefix = domain
}

resource "record" "harbor:network:Record" {
  name   = domain
  values = [storage.url]
  ttl    = servers * 60
}

output "url" {
  value = "https://${record.fqdn}"
}

output "storageUrl" {
  __logicalName = "storage-url"
  value         = storage.url
}
