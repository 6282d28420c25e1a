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
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tonic::Status;
use tonic::body::Body;

/// The time that a host has until it prints its port.
const STARTING: Duration = Duration::from_secs(60);

/// A longer first line is not a port.
const LONGEST_LINE: u64 = 1024;

/// Returns the host of a runtime such as `nodejs`, which is in a directory of `path` or beside the
/// command `pulumi` there. `own` is the path of the process that asks, which may have the host's
/// name: it takes the next one. So a proxy behind a proxy is found, and no two find each other.
///
/// # Errors
/// Returns a message that names the host if it is nowhere.
pub fn find_host(runtime: &str, own: &Path, path: &OsStr) -> Result<PathBuf, String> {
    let name = format!("pulumi-language-{runtime}");
    let this = std::env::current_exe().and_then(|program| real_path(&program)).ok();
    let is_this = |program: &PathBuf| this.is_some() && real_path(program).ok() == this;
    let directories: Vec<PathBuf> =
        std::env::split_paths(path).filter(|directory| directory.is_absolute()).collect();
    let has_its_name = own.file_stem() == Some(OsStr::new(&name));
    let own_place = own.parent().filter(|_| has_its_name);
    let own_place = directories.iter().rposition(|entry| Some(&**entry) == own_place);
    let behind = directories.iter().skip(own_place.map_or(0, |place| place + 1));
    let mut hosts = behind.filter_map(|directory| program_in(directory, &name));
    if let Some(host) = hosts.find(|host| !is_this(host)) {
        return Ok(host);
    }
    // The command may be a link to an installation whose directory is not on the PATH.
    let pulumi = program_on_path(path, "pulumi").and_then(|pulumi| real_path(&pulumi).ok());
    let beside = pulumi.as_deref().and_then(Path::parent);
    let beside = beside.and_then(|directory| program_in(directory, &name));
    beside.filter(|host| !is_this(host)).ok_or_else(|| {
        format!(
            "Pulumi's language host `{name}` is neither on the PATH nor beside the command \
             `pulumi`; install Pulumi, which has it, or add its directory to the PATH"
        )
    })
}

/// A running host. Dropping it ends it.
pub(crate) struct RealHost {
    address: Authority,
    connection: SendRequest<Body>,
    _process: Child,
}

impl RealHost {
    /// Starts a host, whose output becomes that of this process.
    ///
    /// # Errors
    /// Returns a message if it does not start, print a port or accept a connection.
    pub async fn start(program: &Path, arguments: &[OsString]) -> Result<Self, String> {
        let failed = |reason: &str| format!("the language host `{}` {reason}", program.display());
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| failed(&format!("cannot be started: {error}")))?;
        let output = process.stdout.take().ok_or_else(|| failed("has no standard output"))?;
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        let mut first = (&mut output).take(LONGEST_LINE);
        let read = tokio::time::timeout(STARTING, first.read_until(b'\n', &mut line)).await;
        read.map_err(|_| failed(&format!("printed no port within {} s", STARTING.as_secs())))?
            .map_err(|error| failed(&format!("cannot be read: {error}")))?;
        let port = String::from_utf8_lossy(&line).trim().parse::<u16>();
        let port = port.map_err(|_| failed("ended, or printed something else before its port"))?;
        // A pipe that nobody empties stops who writes.
        tokio::spawn(async move { tokio::io::copy(&mut output, &mut tokio::io::stdout()).await });
        let address = format!("127.0.0.1:{port}");
        let connection = connect(&address).await;
        let connection =
            connection.map_err(|reason| failed(&format!("cannot be reached: {reason}")))?;
        let address = address.parse().map_err(|error| format!("no address: {error}"))?;
        Ok(Self { address, connection, _process: process })
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
        let answer = answer.map_err(|error| {
            Status::unavailable(format!("the language host does not answer: {error}"))
        })?;
        Ok(answer.map(Body::new))
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
    fn proxies_find_the_next_host_and_never_each_other() {
        let (_a, first) = directory(&[HOST]);
        let (_b, second) = directory(&[HOST]);
        let (_c, last) = directory(&[HOST]);
        // A directory may be listed twice.
        let path = std::env::join_paths([&first, &second, &first, &last]).unwrap();
        let find = |own: &Path| find_host("python", own, &path).ok();
        assert_eq!(find(&first.join(HOST)), Some(last.join(HOST)));
        assert_eq!(find(&second.join(HOST)), Some(first.join(HOST)));
        assert_eq!(find(&last.join(HOST)), None);
        // A name of its own may be beside the host.
        assert_eq!(find(&last.join("pulumi-language-pcl-python")), Some(first.join(HOST)));
        assert_eq!(find(Path::new("/plugins/pulumi-language-pcl-python")), Some(first.join(HOST)));
    }

    #[test]
    fn hosts_beside_a_linked_command_are_found() {
        let (_a, installation) = directory(&["pulumi", HOST]);
        let (_b, links) = directory(&[]);
        std::os::unix::fs::symlink(installation.join("pulumi"), links.join("pulumi")).unwrap();
        let own = Path::new("/plugins/pulumi-language-pcl-python");
        assert_eq!(find_host("python", own, links.as_os_str()), Ok(installation.join(HOST)));
        let error = find_host("nodejs", own, links.as_os_str()).unwrap_err();
        assert!(error.contains("`pulumi-language-nodejs`"), "{error}");
    }

    #[test]
    fn links_to_this_program_are_no_hosts() {
        let (_a, links) = directory(&[]);
        std::os::unix::fs::symlink(std::env::current_exe().unwrap(), links.join(HOST)).unwrap();
        let own = Path::new("/plugins/pulumi-language-pcl-python");
        assert!(find_host("python", own, links.as_os_str()).is_err());
    }
}
