# purpose: unknown options, options of the wrong type, property paths to nowhere
resource "bucket" "harbor:storage:Bucket" {
  options {
    protct        = true
    protect       = [1]
    dependsOn     = 5
    ignoreChanges = [nothing, "versions"]
    version       = someVersion
    aliases       = [5]
    hooks = {
      beforeCreate = [retry]
      onErorr      = [retry]
    }
    urn = "urn:x"
  }
}
hook "error" "retry" {
  command = ["true"]
}
someVersion = "1.0.0"
