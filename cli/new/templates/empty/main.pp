# `pcl explain` lists the topics of the language.

output message {
  value = "Hello from ${project()}!"
}
