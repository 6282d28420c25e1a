# purpose: a type that contains itself, given several levels deep and read back
resource "old" "orchard:index:Tree" {
  trunk = {
    name = "trunk"
    branches = [
      {
        name     = "left"
        branches = [{ name = "twig", fruit = { weight = 0.2 } }]
      },
      { name = "right", byAge = { "1" = { name = "young" } } }
    ]
  }
}

resource "young" "orchard:index:Tree" {
  trunk      = { name = "sapling" }
  neighbours = [old]
}

deep   = old.trunk.branches[0].branches[0].fruit.weight
pruned = invoke("orchard:index:prune", { branch = { name = "b", branches = [{ name = "c" }] }, depth = 2 })
back   = pruned.branch.branches[0].name
