package {
  baseProviderName    = "shelf"
  baseProviderVersion = "0.1.0"
}

package {
  baseProviderName    = "simple"
  baseProviderVersion = "2.0.0"
}

config "name" "string" {}

resource "light" "simple:index:Resource" {
  value = true
}

resource "sign" "shelf:index:Book" {
  path = "${cwd()}/${name}.txt"
  text = light.value ? "the light is on" : "the light is off"
}

output "label" {
  value = name
}

output "text" {
  value = sign.text
}
