# purpose: a schema that states no version, in a file without one
resource "dial" "sundial:index:Sundial" {
  latitude = 48.2
}

resource "south" "sundial::Sundial" {
  latitude = -dial.latitude
}

noon = invoke("sundial:index:noon", { longitude = 16.37 }).utc
