# purpose: object items without a value, and with two signs
short  = { a, b }
single = { a }
arrow  = { a => 1 }
after  = 1
