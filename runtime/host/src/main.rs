//! `pulumi-language-pcl [ENGINE_ADDRESS]`: Pulumi starts it to run PCL programs.

use std::io::{self, Write as _};
use std::process::ExitCode;

use pcl_host::Server;
use tokio::signal::unix::{SignalKind, signal};

const USAGE: &str = "\
The language host of PCL. Pulumi starts it for projects with `runtime: pcl`; it must be on the PATH.

Usage: pulumi-language-pcl [ENGINE_ADDRESS]

It listens at a port of this machine, which it prints, and ends with Pulumi.

Options:
  --version  Print the version
  --help     Print this help
";

fn main() -> ExitCode {
    let mut engine = None;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "-version" | "--version" => return print(concat!(env!("CARGO_PKG_VERSION"), "\n")),
            "-help" | "--help" | "-h" => return print(USAGE),
            // Options of the project, which Pulumi passes on; there are none.
            option if option.starts_with('-') => {}
            address => engine = Some(address.to_owned()),
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
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
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut terminated = signal(SignalKind::terminate())?;
    let mut output = io::stdout();
    writeln!(output, "{}", server.port()?)?;
    output.flush()?;
    let end = async {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
    };
    server.serve_until(end).await
}

fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
