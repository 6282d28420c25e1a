// Prints the annotations of a JSON file as GitHub's own library does.
const core = require("@actions/core");
const fs = require("fs");

for (const { level, message, ...properties } of JSON.parse(fs.readFileSync(process.argv[2], "utf8"))) {
  core[level](message, properties);
}
