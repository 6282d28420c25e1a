# purpose: an output without a name
output {}
