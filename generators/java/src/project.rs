//! The files around the program: the packages that a project needs, and `Pulumi.yaml`.

use pcl::generated::ProjectFile;
use pcl_codegen::yaml_name;

use crate::package::Required;

/// A tool that fetches the packages of a project and builds it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BuildTool {
    /// Maven, with `pom.xml`.
    #[default]
    Maven,
    /// Gradle, with `build.gradle` and `settings.gradle`.
    Gradle,
}

impl BuildTool {
    /// All tools.
    pub const ALL: [Self; 2] = [Self::Maven, Self::Gradle];

    /// The name of the tool in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Maven => "maven",
            Self::Gradle => "gradle",
        }
    }

    /// The tool with a name.
    ///
    /// # Errors
    /// Returns a message with all names if there is none.
    pub fn parse(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|tool| tool.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(|tool| format!("`{}`", tool.name()));
            format!("unknown build tool `{name}`; expected {}", known.join(" or "))
        })
    }
}

/// The oldest version of Pulumi's SDK that a project works with.
const SDK_VERSION: &str = "1.25.0";

/// The files for a build tool, and `Pulumi.yaml`.
pub(crate) fn files(required: Vec<Required>, name: &str, tool: BuildTool) -> Vec<ProjectFile> {
    let sdk = Required {
        group: "com.pulumi".to_owned(),
        artifact: "pulumi".to_owned(),
        version: SDK_VERSION.to_owned(),
    };
    let mut packages = vec![sdk];
    packages.extend(required);
    let mut files = match tool {
        BuildTool::Maven => vec![ProjectFile::settings("pom.xml", pom(&packages, name))],
        BuildTool::Gradle => gradle(&packages, name),
    };
    let pulumi = format!("name: {}\nruntime: java\n", yaml_name(name));
    files.push(ProjectFile::settings("Pulumi.yaml", pulumi));
    files
}

/// `build.gradle` and `settings.gradle`, by which Pulumi knows a project for Gradle.
fn gradle(packages: &[Required], name: &str) -> Vec<ProjectFile> {
    let dependency = |it: &Required| {
        let Required { group, artifact, version } = it;
        format!("    implementation '{group}:{artifact}:{version}'\n")
    };
    let dependencies: String = packages.iter().map(dependency).collect();
    let build = format!(
        r"plugins {{
    id 'application'
}}

repositories {{
    mavenLocal()
    mavenCentral()
}}

dependencies {{
{dependencies}}}

tasks.withType(JavaCompile).configureEach {{
    options.encoding = 'UTF-8'
    options.release = 11
}}

application {{
    mainClass = 'generated_program.App'
}}
"
    );
    let settings = format!("rootProject.name = '{}'\n", artifact(name));
    vec![
        ProjectFile::settings("build.gradle", build),
        ProjectFile::settings("settings.gradle", settings),
    ]
}

/// The text of `pom.xml`.
fn pom(packages: &[Required], name: &str) -> String {
    let dependency = |it: &Required| {
        let Required { group, artifact, version } = it;
        format!(
            "    <dependency>\n      <groupId>{group}</groupId>\n      <artifactId>{artifact}</artifactId>\n      <version>{version}</version>\n    </dependency>\n"
        )
    };
    let dependencies: String = packages.iter().map(dependency).collect();
    format!(
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
    )
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
    fn gradle_has_the_packages_and_the_main_class() {
        let harbor = Required {
            group: "com.pulumi".to_owned(),
            artifact: "harbor".to_owned(),
            version: "2.1.0".to_owned(),
        };
        let files = files(vec![harbor], "my site!", BuildTool::Gradle);
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["build.gradle", "settings.gradle", "Pulumi.yaml"]);
        let build = &files[0].text;
        assert!(build.contains("    implementation 'com.pulumi:pulumi:1.25.0'\n"), "{build}");
        assert!(build.contains("    implementation 'com.pulumi:harbor:2.1.0'\n"), "{build}");
        assert_eq!(files[1].text, "rootProject.name = 'my-site'\n");
    }

    #[test]
    fn tools_have_names() {
        for tool in BuildTool::ALL {
            assert_eq!(BuildTool::parse(tool.name()), Ok(tool));
        }
        let message = "unknown build tool `ant`; expected `maven` or `gradle`";
        assert_eq!(BuildTool::parse("ant").unwrap_err(), message);
    }

    #[test]
    fn names_of_artifacts_are_legal() {
        for (name, expected) in [("demo", "demo"), ("my site!", "my-site"), ("", "project")] {
            assert_eq!(artifact(name), expected);
        }
    }
}
