# purpose: nested blocks that a resource does not have, and two options blocks
resource "bucket" "harbor:storage:Bucket" {
  lifecycle {
    preventDestroy = true
  }
  options {
    protect = true
    inner {}
  }
  options {
    protect = false
  }
}
