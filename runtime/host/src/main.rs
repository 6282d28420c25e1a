//! `pulumi-language-pcl [ENGINE_ADDRESS]`: Pulumi starts it to run PCL programs.

use std::io::{self, Write as _};
use std::process::ExitCode;

use pcl_host::Server;

const USAGE: &str = "\
The language host of PCL. Pulumi starts it for projects with `runtime: pcl`; it must be beside the
command `pulumi` or on the PATH.

Usage: pulumi-language-pcl [ENGINE_ADDRESS]

It listens at a port of this machine, which it prints, and ends with Pulumi.

Options:
  --version  Print the version
  --help     Print this help
";

fn main() -> ExitCode {
    let mut engine = None;
    let arguments = std::env::args_os().skip(1);
    let mut arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-version" | "--version" => return print(concat!(env!("CARGO_PKG_VERSION"), "\n")),
            "-help" | "--help" | "-h" => return print(USAGE),
            // Nothing is traced; the address of the traces is no engine's.
            "-tracing" | "--tracing" => _ = arguments.next(),
            // Options of the project, which Pulumi passes on; there are none.
            option if option.starts_with('-') => {}
            address => engine = Some(address.to_owned()),
        }
    }
    // Then a full disk is an error of the request that meets it.
    _ = pcl_system::Signals::survive_file_size_limit();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let result = runtime.and_then(|runtime| {
        let result = runtime.block_on(serve(engine.as_deref()));
        // A run that does not end must not keep the process.
        runtime.shutdown_background();
        result
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            _ = writeln!(io::stderr(), "pulumi-language-pcl: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(engine: Option<&str>) -> io::Result<()> {
    let server = Server::bind(engine).await?;
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
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    Ok(async move { _ = interrupt.recv().await })
}

fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
