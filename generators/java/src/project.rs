//! The files around the program: the packages that a project needs, and `Pulumi.yaml`.

use pcl::generated::ProjectFile;
use pcl_codegen::yaml_name;

use crate::package::Required;

/// The oldest version of Pulumi's SDK that a project works with.
const SDK_VERSION: &str = "1.25.0";

/// `pom.xml` and `Pulumi.yaml`.
pub(crate) fn files(required: &[Required], name: &str) -> Vec<ProjectFile> {
    let sdk = Required {
        group: "com.pulumi".to_owned(),
        artifact: "pulumi".to_owned(),
        version: SDK_VERSION.to_owned(),
    };
    let dependency = |it: &Required| {
        let Required { group, artifact, version } = it;
        format!(
            "    <dependency>\n      <groupId>{group}</groupId>\n      <artifactId>{artifact}</artifactId>\n      <version>{version}</version>\n    </dependency>\n"
        )
    };
    let dependencies: String = [&sdk].into_iter().chain(required).map(dependency).collect();
    let pom = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<project
    xmlns="http://maven.apache.org/POM/4.0.0"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>

  <groupId>com.pulumi</groupId>
  <artifactId>{}</artifactId>
  <version>1.0-SNAPSHOT</version>

  <properties>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <maven.compiler.release>11</maven.compiler.release>
    <mainClass>generated_program.App</mainClass>
    <mainArgs />
  </properties>

  <dependencies>
{dependencies}  </dependencies>

  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.13.0</version>
      </plugin>
      <plugin>
        <groupId>org.codehaus.mojo</groupId>
        <artifactId>exec-maven-plugin</artifactId>
        <version>3.1.0</version>
        <configuration>
          <mainClass>${{mainClass}}</mainClass>
          <commandlineArgs>${{mainArgs}}</commandlineArgs>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
"#,
        artifact(name)
    );
    let pulumi = format!("name: {}\nruntime: java\n", yaml_name(name));
    vec![ProjectFile::settings("pom.xml", pom), ProjectFile::settings("Pulumi.yaml", pulumi)]
}

/// A name of a project as Maven allows it.
fn artifact(name: &str) -> String {
    let legal = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().map(legal).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "project".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_artifacts_are_legal() {
        for (name, expected) in [("demo", "demo"), ("my site!", "my-site"), ("", "project")] {
            assert_eq!(artifact(name), expected);
        }
    }
}
