//! `pulumi-language-pcl [ENGINE_ADDRESS]`: Pulumi starts it to run PCL programs. Under the name of
//! another language plugin, it is that one.

use std::path::Path;
use std::process::ExitCode;

use pcl_host::LanguagePlugin;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    let program = arguments.next().unwrap_or_default();
    let program = Path::new(&program);
    let plugin = LanguagePlugin::of(program).unwrap_or(LanguagePlugin::Pcl);
    plugin.run(program, arguments.collect())
}
