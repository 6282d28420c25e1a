// purpose: comments in every place that allows one
# before a block
resource /* after the word */ "bucket" /* between labels */ "harbor:storage:Bucket" /* before the brace */ { # after it
  # first in the body
  versions /* before = */ = /* after = */ 3 /* after the value */ // and at the end
  /* before an attribute */ public = true
  labels = { # in an object
    # a line of its own
    a = "b" // after an item
    /* before a key */ c = /* before a value */ "d"
  } # after an object
  options { // options
    protect = true
    # last in the body
  }
} # after a block

list = [ # in a list
  1, # after an item
  # before an item
  2
  # after the last item
]
sum = ( # in parentheses
  1 # after an operand
  + /* after an operator */ 2
)
call = length( # in a call
  list # after an argument
)
# at the end, without a newline