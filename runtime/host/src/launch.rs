//! The process that Pulumi starts: the language plugin that it is, its arguments, port and end.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use pcl_convert::Language;

use crate::proxy::Proxied;
use crate::server::Server;

const NAME: &str = "pulumi-language-";

/// The name of the converter.
const CONVERTER: &str = "pulumi-converter-pcl-yaml";

/// The language plugin that a process is, by the name of its program.
///
/// ```
/// use std::path::Path;
///
/// use pcl_convert::Language;
/// use pcl_host::LanguagePlugin;
///
/// let named = |name: &str| LanguagePlugin::of(Path::new(name));
/// assert_eq!(named("/bin/pulumi-language-pcl"), Some(LanguagePlugin::Pcl));
/// let yaml = Some(LanguagePlugin::Proxy(Language::Yaml));
/// assert_eq!(named("pulumi-language-pcl-yaml"), yaml);
/// // In the place of the host itself.
/// assert_eq!(named("pulumi-language-yaml.exe"), yaml);
/// assert_eq!(named("pcl"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LanguagePlugin {
    /// The language host of PCL.
    Pcl,
    /// A proxy that generates programs in a language. The host of the language does the rest.
    Proxy(Language),
    /// The converter of Pulumi YAML.
    Converter,
}

impl LanguagePlugin {
    /// The languages that have a proxy. JSON has none, since it would be that of YAML.
    pub fn proxied() -> impl Iterator<Item = Language> {
        Language::ALL.into_iter().filter(|&language| language != Language::Json)
    }

    /// The plugin that a program with this path is; `None` if it is none.
    pub fn of(program: &Path) -> Option<Self> {
        let name = program.file_name()?.to_str()?;
        let name = name.strip_suffix(".exe").unwrap_or(name);
        if name == CONVERTER {
            return Some(Self::Converter);
        }
        let name = name.strip_prefix(NAME)?;
        if name == "pcl" {
            return Some(Self::Pcl);
        }
        let mut languages = Self::proxied();
        let is_named = |language: &Language| match name.strip_prefix("pcl-") {
            Some(name) => language.name() == name,
            None => language.runtime() == name,
        };
        languages.find(is_named).map(Self::Proxy)
    }

    /// Runs until Pulumi ends. `program` is the path by which this process was started, and
    /// `arguments` are the others. Prints the port, and errors to standard error.
    pub fn run(self, program: &Path, arguments: Vec<OsString>) -> ExitCode {
        let mut engine = None;
        let mut rest = arguments.iter().map(|argument| argument.to_string_lossy());
        while let Some(argument) = rest.next() {
            match &*argument {
                "-version" | "--version" => return print(concat!(env!("CARGO_PKG_VERSION"), "\n")),
                "-help" | "--help" | "-h" => return print(&self.usage()),
                // Nothing is traced; the address of the traces is no engine's.
                "-tracing" | "--tracing" => _ = rest.next(),
                // Options of the project, which Pulumi passes on; PCL has none.
                option if option.starts_with('-') => {}
                address => engine = Some(address.to_owned()),
            }
        }
        // Then a full disk is an error of the request that meets it.
        _ = pcl_system::Signals::survive_file_size_limit();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let result = runtime.and_then(|runtime| {
            let result = runtime.block_on(async {
                let engine = engine.as_deref();
                serve(match self {
                    Self::Pcl => Server::bind(engine).await?,
                    Self::Converter => Server::bind_converter(engine).await?,
                    Self::Proxy(language) => {
                        Server::bind_proxy(Proxied { language, arguments }, engine).await?
                    }
                })
                .await
            });
            // A run that does not end must not keep the process.
            runtime.shutdown_background();
            result
        });
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                let name = program.file_name().unwrap_or_default().display();
                _ = writeln!(io::stderr(), "{name}: {error}");
                ExitCode::FAILURE
            }
        }
    }

    /// The name of the program.
    fn name(self) -> String {
        match self {
            Self::Pcl => format!("{NAME}pcl"),
            Self::Converter => String::from(CONVERTER),
            Self::Proxy(language) => format!("{NAME}pcl-{}", language.name()),
        }
    }

    fn usage(self) -> String {
        let purpose = match self {
            Self::Pcl => String::from(
                "The language host of PCL. Pulumi starts it for projects with `runtime: pcl`; it \
                 must be beside the\ncommand `pulumi` or on the PATH.",
            ),
            Self::Converter => String::from(
                "A converter plugin for `pulumi convert --from pcl-yaml`: it reads projects in \
                 Pulumi YAML.",
            ),
            Self::Proxy(language) => format!(
                "A language plugin that converts PCL for `pulumi convert`. For all else, it asks \
                 Pulumi's language host\n`{NAME}{}`.",
                language.runtime()
            ),
        };
        format!(
            "{purpose}\n\nUsage: {} [ENGINE_ADDRESS]\n\nIt listens at a port of this machine, \
             which it prints, and ends with Pulumi.\n\nOptions:\n  --version  Print the version\n  \
             --help     Print this help\n",
            self.name()
        )
    }
}

async fn serve(server: Server) -> io::Result<()> {
    // Whoever reads the port may send a signal at once.
    let end = asked_to_end()?;
    let mut output = io::stdout();
    writeln!(output, "{}", server.port()?)?;
    output.flush()?;
    server.serve_until(end).await
}

/// Returns a future that waits until the process is asked to end. Signals count from the call on.
#[cfg(unix)]
fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Returns a future that waits until the process is asked to end. Signals count from the call on.
#[cfg(windows)]
fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::windows::{ctrl_break, ctrl_c};
    let mut interrupt = ctrl_c()?;
    let mut break_ = ctrl_break()?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = break_.recv() => {}
        }
    })
}

fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
