# purpose: options that must be literals and are none: null, a number, a version that is no version
resource "a" "harbor:storage:Bucket" {
  options {
    version = null
  }
}
resource "b" "harbor:storage:Bucket" {
  options {
    version = "latest"
  }
}
resource "c" "harbor:storage:Bucket" {
  options {
    pluginDownloadURL = 5
  }
}
