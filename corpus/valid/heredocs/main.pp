# purpose: heredocs, plain and dedented, with interpolation, directives and backslashes
config "user" "string" {}

plain = <<EOT
first line
  second line with ${user}
	tabs and \backslashes\n stay
EOT

dedented = <<-EOT
    four spaces go away
      two of six stay
    ${user} at the start

    after an empty line
    EOT

empty = <<NOTHING
NOTHING

directives = <<-END
  %{ for i in [1, 2, 3] ~}
  line ${i}
  %{ endfor ~}
  %{ if user == "root" ~}
  powerful
  %{ else ~}
  modest
  %{ endif ~}
  END

inside = [
  <<ONE
in a list
ONE
  , "and after"
]

escaped = <<EOT
$${not.a.part} %%{ nor.this } $ %
EOT

object = {
  script = <<-SH
    #!/bin/sh
    echo "$HOME"
  SH
  after = true
}
