package {
  baseProviderName    = "shelf"
  baseProviderVersion = "0.1.0"
}

hook "resource" "before" {
  command = ["sh", "-c", "ls > before.txt"]
}

hook "resource" "after" {
  command = ["cp", "book.txt", "${args.name}-copy.txt"]
}

hook "resource" "planned" {
  command  = ["touch", "planned.txt"]
  onDryRun = true
}

hook "resource" "removed" {
  command = ["touch", "removed.txt"]
}

resource "book" "shelf:index:Book" {
  path = "${cwd()}/book.txt"
  text = "hooked"
  options {
    hooks = {
      beforeCreate = [before, planned]
      afterCreate  = [after]
      afterDelete  = [removed]
    }
  }
}
