# purpose: a cycle of three components, and one through a local
component "a" "./part" {
  in = b.out
}
component "b" "./part" {
  in = c.out
}
component "c" "./part" {
  in = a.out
}
component "d" "./part" {
  in = e
}
e = d.out
