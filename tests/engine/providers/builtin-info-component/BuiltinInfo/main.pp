output organization {
  value = organization()
}

output project {
  value = project()
}

output stack {
  value = stack()
}
