# purpose: what the operator chooses, and what follows from it
config "name" "string" {
  default     = "shop"
  description = "Prefix of everything that this program names"
}

config "domain" "string" {
  default = "example.com"
}

config "serverCount" "int" {
  default = 2
}

config "cidr" "string" {
  default = "10.1.0.0/16"
}

config "subnetCidrs" "list(string)" {
  default = ["10.1.1.0/24", "10.1.2.0/24"]
}

config "adminPassword" "string" {
  secret = true
}

production = stack() == "prod"
port       = 8080
zones      = invoke("harbor:network:listZones", { region = "north" })
image      = invoke("harbor:compute:getImage", { name = "debian-13", latest = true })

tags = {
  project = project()
  stack   = stack()
  name    = name
}
