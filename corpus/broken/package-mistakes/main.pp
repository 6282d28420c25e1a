# purpose: package blocks without a name, with bad versions, addresses and encodings, twice the same
package {}
package {
  baseProviderName    = "one"
  baseProviderVersion = "1.x"
}
package {
  baseProviderName        = "two"
  baseProviderDownloadUrl = "not an address"
}
package {
  baseProviderName = "bridge"
  parameterization {
    name    = "three"
    version = "0.1.0"
    value   = "not base64!"
  }
}
package {
  baseProviderName = "bridge"
  parameterization {
    version = "0.1.0"
  }
}
package {
  baseProviderName = "harbor"
}
package {
  baseProviderName = "harbor"
}
package "mathx" {}
package {
  baseProviderName = "five"
  licence          = "MIT"
}
