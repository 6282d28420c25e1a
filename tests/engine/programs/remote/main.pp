package {
  baseProviderName    = "component"
  baseProviderVersion = "13.3.7"
}

# The provider makes what is inside.
resource "remote" "component:index:ComponentCustomRefOutput" {
  value = "inside"
}

# `ref` is a resource.
resource "copy" "component:index:Custom" {
  value = "${remote.ref.value}, copied"
}

output "copy" {
  value = copy.value
}
