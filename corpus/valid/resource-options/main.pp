# purpose: every option of a resource, on one resource each where they would disturb one another
resource "provider" "pulumi:providers:harbor" {
  region = "north"
}

resource "network" "harbor:network:Network" {
  cidr = "10.0.0.0/16"
  options {
    provider = provider
    protect  = true
  }
}

hook "resource" "announce" {
  command = ["echo", "created"]
}

hook "error" "retry" {
  command = ["true"]
}

resource "server" "harbor:compute:Server" {
  image      = "debian-13"
  apiVersion = "v2"
  disks      = [{ size = 10 }]
  tags       = { a = "b" }

  options {
    parent                  = network
    dependsOn               = [network, provider]
    provider                = provider
    retainOnDelete          = true
    deleteBeforeReplace     = true
    ignoreChanges           = [image, disks[0].size, tags["a"]]
    hideDiffs               = [userData]
    replaceOnChanges        = [disks, rootDisk.size]
    additionalSecretOutputs = [userData]
    import                  = "srv-1"
    aliases = [
      "urn:pulumi:dev::shop::harbor:compute:Server::old",
      { name = "older", noParent = true },
      { type = "harbor:legacy:Mainframe", parent = network }
    ]
    customTimeouts = {
      create = "5m"
      delete = "1h"
    }
    deletedWith        = network
    replaceWith        = [network]
    replacementTrigger = network.cidr
    version            = "2.1.0"
    pluginDownloadURL  = "https://example.com/harbor"
    hooks = {
      beforeCreate = [announce]
      onError      = [retry]
    }
  }
}

resource "other" "pulumi:providers:harbor" {
  region = "south"
  options {
    envVarMappings = { HARBOR_REGION = "REGION" }
  }
}
