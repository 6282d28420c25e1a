// The programs to start from.
import type { Files } from "./share";

export interface Example {
  name: string;
  files: Files;
}

export const EXAMPLES: Example[] = [
  {
    name: "Mistakes to fix",
    files: {
      "main.pp": `# Hover over a name, and press Ctrl+Space to complete one.
config words int {
  default = 2
}

resource pet "random:index/randomPet:RandomPet" {
  lenght    = words
  separator = "-"
}

output petName {
  value = upper(pet.idd)
}
`,
    },
  },
  {
    name: "Values and functions",
    files: {
      "main.pp": `config regions "list(string)" {
  default = ["north", "south"]
}

names = [for region in regions : "\${region}-\${length(region)}"]

output names {
  value = names
}

output document {
  value = toJSON({ count = length(regions), names = names })
}
`,
    },
  },
  {
    name: "A component",
    files: {
      "main.pp": `component team "./team" {
  size = 2
}

output members {
  value = team.members
}
`,
      "team/main.pp": `config size int {
}

resource member "random:index/randomPet:RandomPet" {
  options {
    range = size
  }
  length = 2
}

output members {
  value = member[*].id
}
`,
    },
  },
];
