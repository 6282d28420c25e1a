# purpose: package blocks: a plain one, a pinned one, a parameterized one
package {
  baseProviderName        = "harbor"
  baseProviderVersion     = "2.1.0"
  baseProviderDownloadUrl = "https://example.com/plugins"
}

package {
  baseProviderName    = "bridge"
  baseProviderVersion = "1.2.3"
  parameterization {
    name    = "mailroom"
    version = "0.4.0"
    value   = "bWFpbHJvb20="
  }
}

resource "box" "mailroom:index:Mailbox" {
  address = "captain@example.com"
  quota   = 5
}

resource "bucket" "harbor:storage:Bucket" {
  versions = box.unread
}
