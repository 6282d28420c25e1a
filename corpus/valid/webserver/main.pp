# purpose: the program of the README: servers behind a load balancer, their network, records and alerts
resource "network" "harbor:network:Network" {
  cidr = cidr
  tags = tags
}

resource "subnets" "harbor:network:Subnet" {
  __logicalName = "web"
  networkId     = network.id
  cidr          = range.value
  zone          = element(zones, range.key)
  public        = true

  options {
    range  = subnetCidrs
    parent = network
  }
}

resource "servers" "harbor:compute:Server" {
  image      = image.id
  apiVersion = "v2"
  tier       = production ? 4 : 1
  subnetId   = element(subnets, range.value).id
  password   = adminPassword
  userData   = <<-EOT
    #!/bin/sh
    echo "server ${range.value} of ${name}" > /srv/www/index.html
    %{ if production ~}
    rm -f /srv/www/debug.html
    %{ endif ~}
    exec web --port ${port}
  EOT
  rootDisk = {
    size      = 20
    name      = "root"
    encrypted = true
  }
  tags = tags

  options {
    range         = serverCount
    dependsOn     = [network]
    ignoreChanges = [userData, tags["touched"]]
    customTimeouts = {
      create = "10m"
    }
  }
}

resource "balancer" "harbor:network:LoadBalancer" {
  ports = [
    { number = 80, protocol = "http" },
    { number = 443, protocol = "https" }
  ]
  targets = servers[*].address
  check = {
    path = "/healthz"
    port = { number = port }
  }
}

component "assets" "./assets" {
  label = "${name}-assets"
  files = {
    "index.html" = "<h1>${name}</h1>"
    "robots.txt" = "User-agent: *"
  }
}

resource "record" "harbor:network:Record" {
  name   = "www.${domain}"
  values = [balancer.address]
  ttl    = 300
}

resource "alert" "harbor:alert:Alert" {
  expression = "healthy(${balancer.id}) < ${serverCount}"
  target = {
    kind    = "mail"
    address = "ops@${domain}"
  }
}
