# purpose: components that name an existing component type instead of a directory
component "site" {
  token  = "harbor:stacks:StaticSite"
  folder = "./www"
  domain = "example.com"
}

component "other" "" {
  token = "harbor:stacks:StaticSite"
  folder = "./docs"
  options {
    dependsOn = [site]
  }
}

resource "typed" "harbor:stacks:StaticSite" {
  folder     = "./typed"
  indexPages = ["index.html"]
}

output "url" {
  value = site.url
}

output "typedBucket" {
  value = typed.bucket.url
}
