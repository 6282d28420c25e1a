# purpose: reads without id, of a provider, of a component, with attributes that are not state
read "a" "harbor:network:Network" {
  cidr = "10.0.0.0/16"
}
read "b" "pulumi:providers:harbor" {
  id = "x"
}
read "c" "harbor:stacks:StaticSite" {
  id = "x"
}
read "d" "harbor:network:Network" {
  id       = "net-1"
  isolated = true
}
read "e" "harbor:network:Network" {
  id = ["net-1"]
}
