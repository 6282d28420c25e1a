# purpose: an empty component
