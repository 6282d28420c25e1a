# purpose: the attributes of a config block: default, description, nullable, secret, logical name
config "region" "string" {
  description = "Where to build"
  default     = "north"
}

config "password" "string" {
  secret = true
}

config "note" "string" {
  nullable = true
}

config "limit" "int" {
  default = null
}

config "tags" "map(string)" {
  __logicalName = "default-tags"
  default = {
    team  = "harbour"
    owner = region
  }
}

config "zones" "list(string)" {
  default = invoke("harbor::getRegion", {}).zones
}

config "flag" "bool" {
  default  = false
  nullable = false
  secret   = false
}

protected = password
firstZone = zones[0]
roof      = limit == null ? 10 : limit
