# purpose: a package block picks an older version, whose resource has fewer required inputs
package {
  baseProviderName    = "stamps"
  baseProviderVersion = "1.0.0"
}

resource "stamp" "stamps:index:Stamp" {
  motto = "paid"
}
