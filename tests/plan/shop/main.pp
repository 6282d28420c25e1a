resource net "harbor:network:Network" {
  cidr = "10.0.0.0/8"
}

resource www "harbor:network:Record" {
  name   = "www-${net.id}"
  values = ["10.0.0.1"]
  ttl    = 300
}

resource archive "harbor:storage:Bucket" {
}

resource mail "harbor:network:Record" {
  name   = "mail"
  values = ["10.0.0.1"]
  ttl    = 60
  options {
    protect = true
  }
}
