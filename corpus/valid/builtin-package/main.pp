# purpose: the package that is always there: stack references and stashes
resource "upstream" "pulumi:pulumi:StackReference" {
  name = "org/network/prod"
}

resource "stash" "pulumi:index:Stash" {
  input = { number = 1, text = "x" }
}

resource "shortStash" "pulumi:Stash" {
  input = upstream.outputs["vpc"]
}

vpc = getOutput(upstream, "vpcId")

output "stashed" {
  value = stash.output
}
