//! The folder and the settings of a server in a test.

use pcl::config::Configuration;
use pcl_server::Environment;
use tempfile::TempDir;

/// The schema of the package `zoo`, which the tests use.
const ZOO: &str = include_str!("zoo.json");

/// A folder with that schema and no program.
pub fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("schemas")).expect("a directory for schemas");
    std::fs::write(folder.path().join("schemas/zoo.json"), ZOO).expect("a schema");
    folder
}

/// The settings of a command that finds the schemas beside programs.
pub fn environment() -> Environment<'static> {
    Environment {
        base: Configuration::default(),
        is_isolated: false,
        settings: Box::new(|configuration| {
            let mut settings = configuration.settings();
            settings.schemas.beside_programs = true;
            settings
        }),
        add_schema: None,
        state: None,
    }
}

/// Writes a file below a folder.
pub fn write(folder: &TempDir, name: &str, text: &str) {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
    std::fs::write(path, text).expect("a file");
}
