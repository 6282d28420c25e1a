# purpose: hooks without command, with unknown attributes, with attributes of the other kind
hook "resource" "a" {}
hook "error" "b" {
  command  = ["true"]
  onDryRun = true
}
hook "resource" "c" {
  command = 5
  retries = 3
}
hook "error" "d" {
  command = [args.newOutputs.x]
  extra {}
}
