# purpose: literals that are none of an enum's values or not the one value of a const: errors
resource "server" "harbor:compute:Server" {
  image      = "debian-13"
  apiVersion = "v1"
  tier       = 3
}
resource "balancer" "harbor:network:LoadBalancer" {
  ports = [{ number = 80, protocol = "htpp" }]
}
