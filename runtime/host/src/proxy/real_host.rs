//! The host that a proxy is for: where it is, its process, and the requests that it answers.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use http::uri::{Authority, Parts, Scheme, Uri};
use http::{Request, Response};
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use pcl_remote::WINDOW;
use pcl_system::{program_in, program_on_path, real_path};
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::sync::Mutex;
use tonic::Status;
use tonic::body::Body;

/// The time that a host has until it prints its port.
const STARTING: Duration = Duration::from_secs(60);

/// The time that a host has to end after it was asked to, or after it closed its output.
const ENDING: Duration = Duration::from_secs(1);

/// A longer first line is not a port.
const LONGEST_LINE: u64 = 1024;

/// The number of characters of such a line in a message.
const LONGEST_SHOWN: usize = 60;

/// The variable by which a proxy tells the processes that it starts which programs are proxies, as
/// `PATH` lists directories.
const PROXIES: &str = "PCL_PROXIES";

/// Returns the host of a runtime such as `nodejs`, which is in a directory of `path` or beside the
/// command `pulumi` there. Programs of `proxies`, which are real paths, are none, although they may
/// have its name: so a proxy finds the next one, and no two start each other.
///
/// # Errors
/// Returns a message that names the host if it is nowhere.
pub fn find_host(runtime: &str, path: &OsStr, proxies: &[PathBuf]) -> Result<PathBuf, String> {
    let name = format!("pulumi-language-{runtime}");
    let is_host =
        |program: &PathBuf| real_path(program).is_ok_and(|program| !proxies.contains(&program));
    let directories = std::env::split_paths(path).filter(|directory| directory.is_absolute());
    let mut hosts = directories.filter_map(|directory| program_in(&directory, &name));
    if let Some(host) = hosts.find(is_host) {
        return Ok(host);
    }
    // The command may be a link to an installation whose directory is not on the PATH.
    let pulumi = program_on_path(path, "pulumi").and_then(|pulumi| real_path(&pulumi).ok());
    let beside = pulumi.as_deref().and_then(Path::parent);
    let beside = beside.and_then(|directory| program_in(directory, &name));
    beside.filter(is_host).ok_or_else(|| {
        format!(
            "Pulumi's language host `{name}` is neither on the PATH nor beside the command \
             `pulumi`; it is a part of Pulumi, whose directory has to be on the PATH"
        )
    })
}

/// The programs that are known to be proxies: those behind which this process is, and this one.
pub fn known_proxies() -> Vec<PathBuf> {
    let told = std::env::var_os(PROXIES).unwrap_or_default();
    let this = std::env::current_exe().and_then(|program| real_path(&program));
    std::env::split_paths(&told).chain(this.ok()).collect()
}

/// A running host. Dropping it ends it.
pub(crate) struct RealHost {
    program: PathBuf,
    address: Authority,
    connection: SendRequest<Body>,
    process: Mutex<Child>,
}

impl RealHost {
    /// Starts a host, whose output becomes that of this process. `proxies` are those in front of
    /// it.
    ///
    /// # Errors
    /// Returns a message if it does not start, print a port or accept a connection.
    pub async fn start(
        program: PathBuf,
        arguments: &[OsString],
        mut proxies: Vec<PathBuf>,
    ) -> Result<Self, String> {
        let failed = |reason: &str| format!("the language host `{}` {reason}", program.display());
        // A program that starts a proxy, such as a script, is found by the proxy as well.
        proxies.extend(real_path(&program).ok());
        let proxies = std::env::join_paths(proxies).unwrap_or_default();
        let mut process = Command::new(&program)
            .args(arguments)
            .env(PROXIES, proxies)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| failed(&format!("cannot be started: {error}")))?;
        let output = process.stdout.take().ok_or_else(|| failed("has no standard output"))?;
        let mut output = BufReader::new(output);
        let port = port(&mut process, &mut output).await.map_err(|reason| failed(&reason))?;
        // A pipe that nobody empties stops who writes.
        tokio::spawn(async move { tokio::io::copy(&mut output, &mut tokio::io::stdout()).await });
        let address = format!("127.0.0.1:{port}");
        let connection = connect(&address).await;
        let connection =
            connection.map_err(|reason| failed(&format!("cannot be reached: {reason}")))?;
        let address = address.parse().map_err(|error| format!("no address: {error}"))?;
        Ok(Self { program, address, connection, process: Mutex::new(process) })
    }

    /// Passes a request on, as it is: with all messages, in both directions, and with its deadline.
    ///
    /// # Errors
    /// Returns a status if the host has ended.
    pub async fn forward(&self, request: Request<Body>) -> Result<Response<Body>, Status> {
        let (mut head, body) = request.into_parts();
        let mut uri = Parts::default();
        uri.scheme = Some(Scheme::HTTP);
        uri.authority = Some(self.address.clone());
        uri.path_and_query = head.uri.path_and_query().cloned();
        head.uri = Uri::from_parts(uri).map_err(|error| Status::internal(error.to_string()))?;
        let answer = self.connection.clone().send_request(Request::from_parts(head, body)).await;
        match answer {
            Ok(answer) => Ok(answer.map(Body::new)),
            Err(error) => Err(Status::unavailable(self.lost(&error).await)),
        }
    }

    /// The reason why there is no answer.
    async fn lost(&self, error: &hyper::Error) -> String {
        let host = self.program.display();
        let ended = tokio::time::timeout(ENDING, async { self.process.lock().await.wait().await });
        match ended.await {
            Ok(Ok(status)) => format!("the language host `{host}` has ended: {status}"),
            _ => format!("the connection to the language host `{host}` is lost: {error}"),
        }
    }

    /// Asks the host to end.
    pub fn interrupt(&self) {
        #[cfg(unix)]
        if let Ok(process) = self.process.try_lock()
            && let Some(process) = process.id().and_then(|id| Pid::from_raw(id.cast_signed()))
        {
            _ = kill_process(process, Signal::TERM);
        }
    }

    /// Waits until the host has ended, for as long as it may take.
    pub async fn ended(&self) {
        _ = tokio::time::timeout(ENDING, async { self.process.lock().await.wait().await }).await;
    }
}

/// The port that a host prints in its first line.
async fn port(
    process: &mut Child,
    output: &mut (impl AsyncBufRead + Unpin),
) -> Result<u16, String> {
    let mut line = Vec::new();
    let mut first = output.take(LONGEST_LINE);
    let read = tokio::time::timeout(STARTING, first.read_until(b'\n', &mut line)).await;
    read.map_err(|_| format!("printed no port within {} s", STARTING.as_secs()))?
        .map_err(|error| format!("cannot be read: {error}"))?;
    if line.is_empty() {
        return Err(match tokio::time::timeout(ENDING, process.wait()).await {
            Ok(Ok(status)) => format!("ended before it printed a port: {status}"),
            _ => String::from("closed its standard output before it printed a port"),
        });
    }
    let line = String::from_utf8_lossy(&line);
    let line = line.trim();
    match line.parse() {
        Ok(port) => Ok(port),
        Err(_) => {
            let start: String = line.chars().take(LONGEST_SHOWN).collect();
            Err(format!("printed {start:?}, expected a port"))
        }
    }
}

/// Connects to the host at an address. A task drives the connection.
async fn connect(address: &str) -> Result<SendRequest<Body>, String> {
    let stream = TcpStream::connect(address).await.map_err(|error| error.to_string())?;
    stream.set_nodelay(true).map_err(|error| error.to_string())?;
    let (sender, connection) = Builder::new(TokioExecutor::new())
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOW)
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| error.to_string())?;
    // The requests that are under way learn why it ended.
    tokio::spawn(async { _ = connection.await });
    Ok(sender)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// A directory with programs of these names, and its path.
    fn directory(names: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = real_path(directory.path()).unwrap();
        for name in names {
            fs::write(path.join(name), "#!/bin/sh\n").unwrap();
            fs::set_permissions(path.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
        (directory, path)
    }

    const HOST: &str = "pulumi-language-python";

    #[test]
    fn a_proxy_finds_the_next_host() {
        let (_a, first) = directory(&[HOST]);
        let (_b, second) = directory(&[]);
        let (_c, last) = directory(&[HOST]);
        // Two names of one proxy.
        std::os::unix::fs::symlink(first.join(HOST), second.join(HOST)).unwrap();
        let path = std::env::join_paths([&first, &second, &first, &last]).unwrap();
        let find = |proxies: &[&Path]| {
            let proxies: Vec<PathBuf> = proxies.iter().map(|proxy| proxy.join(HOST)).collect();
            find_host("python", &path, &proxies).ok()
        };
        assert_eq!(find(&[]), Some(first.join(HOST)));
        assert_eq!(find(&[&first]), Some(last.join(HOST)));
        assert_eq!(find(&[&last]), Some(first.join(HOST)));
        assert_eq!(find(&[&first, &last]), None);
    }

    #[test]
    fn hosts_beside_a_linked_command_are_found() {
        let (_a, installation) = directory(&["pulumi", HOST]);
        let (_b, links) = directory(&[]);
        std::os::unix::fs::symlink(installation.join("pulumi"), links.join("pulumi")).unwrap();
        let host = installation.join(HOST);
        assert_eq!(find_host("python", links.as_os_str(), &[]), Ok(host.clone()));
        assert!(find_host("python", links.as_os_str(), &[host]).is_err());
        let error = find_host("nodejs", links.as_os_str(), &[]).unwrap_err();
        assert!(error.contains("`pulumi-language-nodejs`"), "{error}");
    }

    #[test]
    fn this_program_is_a_proxy() {
        let (_a, links) = directory(&[]);
        std::os::unix::fs::symlink(std::env::current_exe().unwrap(), links.join(HOST)).unwrap();
        assert!(find_host("python", links.as_os_str(), &[]).is_ok());
        assert!(find_host("python", links.as_os_str(), &known_proxies()).is_err());
    }
}
