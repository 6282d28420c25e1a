# purpose: components that use components, with inputs, outputs, options and a logical name
component "shop" "./site" {
  domain  = "shop.example.com"
  servers = 2
}

component "blog" "./site" {
  __logicalName = "the-blog"
  domain        = "blog.example.com"
  options {
    dependsOn = [shop]
    protect   = true
  }
}

component "sites" "./site" {
  domain = range.value
  options {
    range = ["a.example.com", "b.example.com"]
  }
}

output "shopUrl" {
  value = shop.url
}

output "urls" {
  value = sites[*].url
}
