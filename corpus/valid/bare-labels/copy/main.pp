# purpose: a component that hands its input back
config region string {}
output region {
  value = region
}
