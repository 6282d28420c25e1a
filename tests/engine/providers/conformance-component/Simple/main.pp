config value bool {
}

resource child "simple:index:Resource" {
  value = !value
}

output value {
  value = value
}
