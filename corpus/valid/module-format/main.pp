# purpose: a package whose tokens name their files; each spelling of a token finds the same member
resource "long" "gadget:index/lamp:Lamp" {
  colour = "red"
}
resource "middle" "gadget:index:Lamp" {
  colour = "green"
}
resource "short" "gadget::Lamp" {
  colour = "blue"
}
resource "shortest" "gadget:Lamp" {
  watts = 4.5
}
resource "robot" "gadget:core/robot:Robot" {
  name  = "r2"
  lamps = [long, short]
}
resource "twin" "gadget:core:Robot" {
  name = "r3"
}
found = invoke("gadget:core:findRobot", { name = robot.name }).serial
same  = invoke("gadget:core/findRobot:findRobot", { name = "r2" }).serial
