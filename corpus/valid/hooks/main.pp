# purpose: hooks of both kinds, what their commands see, and where resources name them
config "logFile" "string" {
  default = "hooks.log"
}

hook "resource" "log" {
  command      = ["tee", "-a", logFile, "${args.name} ${args.type} ${args.urn} ${args.id}"]
  onDryRun     = true
  ignoreErrors = true
}

hook "resource" "compare" {
  command = ["diff", args.oldInputs["cidr"], args.newOutputs["cidr"]]
}

hook "error" "again" {
  command = ["test", args.oldOutputs.attempts]
}

resource "network" "harbor:network:Network" {
  cidr = "10.0.0.0/16"
  options {
    hooks = {
      beforeCreate = [log]
      afterCreate  = [log, compare]
      beforeUpdate = []
      afterUpdate  = [compare]
      beforeDelete = [log]
      afterDelete  = [log]
      onError      = [again]
    }
  }
}
