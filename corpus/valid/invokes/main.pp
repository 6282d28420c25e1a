# purpose: functions of packages: without inputs, plain, with outputs, with options, returning nothing
resource "network" "harbor:network:Network" {
  cidr = "10.0.0.0/16"
}

resource "provider" "pulumi:providers:harbor" {
  region = "north"
}

region = invoke("harbor:index:getRegion", {})
image  = invoke("harbor:compute:getImage", { name = "debian", latest = true })
late   = invoke("harbor:compute:getImage", { name = network.gateway })
zones  = invoke("harbor:network:listZones", {})
silent = invoke("harbor:index:ping", { address = "10.0.0.1" })
custom = invoke("harbor:compute:getImage", { name = "debian" }, {
  provider          = provider
  parent            = network
  dependsOn         = [network]
  version           = "2.1.0"
  pluginDownloadUrl = "https://example.com/harbor"
})

resource "server" "harbor:compute:Server" {
  image      = image.id
  apiVersion = "v2"
  disks      = [{ size = late.size, name = "late" }]
  tags = {
    zone  = zones[0]
    where = region.name
    disk  = image.rootDisk.name
  }
}

inline = invoke("harbor:compute:getImage", { name = "x", filter = { arch = "arm" }, owners = ["me"] }).rootDisk.size
