//! A gRPC server that does what a test wants, down to the bytes.

use std::net::{Ipv4Addr, TcpListener as StdListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::{BufMut as _, Bytes, BytesMut};
use h2::server::SendResponse;
use http::{HeaderMap, HeaderValue, Request, Response};
use tokio::net::{TcpListener, TcpStream};

/// The reaction of the server to a call.
pub enum Reply {
    /// A message: fields with numbers and contents, all of the kind that has a length.
    Fields(Vec<(u32, Vec<u8>)>),
    /// A status other than success.
    Status(u8, &'static str),
    /// The start of a message that claims to be this long, and then nothing more.
    Claims(u32),
    /// The start of a message that claims to be this long, and then the end of the connection.
    Breaks(u32),
    /// These bytes, one part after the other, and then the end, with a status or without.
    Parts(Vec<&'static [u8]>, Option<u8>),
    /// A status before any message.
    Headers(u16, Option<u8>),
    /// Nothing at all.
    Silence,
}

impl Reply {
    /// A message with one field.
    pub fn text(text: impl Into<Vec<u8>>) -> Self {
        Self::Fields(vec![(1, text.into())])
    }
}

/// A call that was made: the method without its service, and the message.
pub type Call = (String, Vec<u8>);

/// A server that runs until the tests end.
pub struct Server {
    pub port: u16,
    pub calls: Arc<Mutex<Vec<Call>>>,
}

impl Server {
    /// Starts a server. It answers each call with what `reply` makes of the method's name.
    pub fn start(reply: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = StdListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        listener.set_nonblocking(true).expect("it can be set");
        let calls = Arc::new(Mutex::new(Vec::new()));
        let (reply, log) = (Arc::new(reply), Arc::clone(&calls));
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async move {
                let listener = TcpListener::from_std(listener).expect("a listener");
                while let Ok((stream, _)) = listener.accept().await {
                    let (reply, log) = (Arc::clone(&reply), Arc::clone(&log));
                    tokio::spawn(connection(stream, reply, log));
                }
            });
        });
        Self { port, calls }
    }

    /// The address as a service has it.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The methods that were called, in order.
    pub fn methods(&self) -> Vec<String> {
        let calls = self.calls.lock().expect("no panic");
        calls.iter().map(|(method, _)| method.clone()).collect()
    }
}

async fn connection(
    stream: TcpStream,
    reply: Arc<impl Fn(&str) -> Reply + Send + Sync + 'static>,
    log: Arc<Mutex<Vec<Call>>>,
) {
    let Ok(mut calls) = h2::server::handshake(stream).await else { return };
    let broken = Arc::new(AtomicBool::new(false));
    loop {
        match tokio::time::timeout(Duration::from_millis(10), calls.accept()).await {
            Ok(Some(Ok((request, respond)))) => {
                let (reply, log) = (Arc::clone(&reply), Arc::clone(&log));
                tokio::spawn(answer(request, respond, reply, log, Arc::clone(&broken)));
            }
            Ok(_) => return,
            Err(_) if broken.load(Ordering::SeqCst) => return,
            Err(_) => {}
        }
    }
}

async fn answer(
    request: Request<h2::RecvStream>,
    mut respond: SendResponse<Bytes>,
    reply: Arc<impl Fn(&str) -> Reply>,
    log: Arc<Mutex<Vec<Call>>>,
    broken: Arc<AtomicBool>,
) {
    let method = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
    let mut body = request.into_body();
    let mut message = Vec::new();
    while let Some(Ok(part)) = body.data().await {
        message.extend_from_slice(&part);
        let _ = body.flow_control().release_capacity(part.len());
    }
    let reply = reply(&method);
    log.lock().expect("no panic").push((method, message.split_off(5.min(message.len()))));
    let head = Response::builder().header("content-type", "application/grpc");
    let head = head.body(()).expect("a response");
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", HeaderValue::from_static("0"));
    match reply {
        Reply::Fields(fields) => {
            let mut message = BytesMut::new();
            for (number, content) in fields {
                varint(&mut message, number << 3 | 2);
                varint(&mut message, content.len() as u32);
                message.put_slice(&content);
            }
            let mut framed = BytesMut::new();
            framed.put_u8(0);
            framed.put_u32(message.len() as u32);
            framed.extend_from_slice(&message);
            let mut body = respond.send_response(head, false).expect("a stream");
            body.send_data(framed.freeze(), false).expect("room");
            body.send_trailers(trailers).expect("room");
        }
        Reply::Status(code, message) => {
            trailers.insert("grpc-status", HeaderValue::from(u16::from(code)));
            trailers.insert("grpc-message", HeaderValue::from_static(message));
            let mut body = respond.send_response(head, false).expect("a stream");
            body.send_trailers(trailers).expect("room");
        }
        Reply::Parts(parts, status) => {
            let mut body = respond.send_response(head, false).expect("a stream");
            for part in parts {
                body.send_data(part.into(), false).expect("room");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            match status {
                None => body.send_data(Bytes::new(), true).expect("room"),
                Some(code) => {
                    trailers.insert("grpc-status", HeaderValue::from(u16::from(code)));
                    body.send_trailers(trailers).expect("room");
                }
            }
        }
        Reply::Headers(http_status, status) => {
            let mut head = Response::builder().status(http_status);
            if let Some(code) = status {
                head = head.header("grpc-status", u16::from(code));
            }
            let head = head.body(()).expect("a response");
            respond.send_response(head, true).expect("a stream");
        }
        Reply::Claims(length) | Reply::Breaks(length) => {
            let mut framed = BytesMut::new();
            framed.put_u8(0);
            framed.put_u32(length);
            framed.put_slice(b"half");
            let mut body = respond.send_response(head, false).expect("a stream");
            body.send_data(framed.freeze(), false).expect("room");
            if matches!(reply, Reply::Breaks(_)) {
                tokio::time::sleep(Duration::from_millis(50)).await;
                broken.store(true, Ordering::SeqCst);
                return;
            }
            std::future::pending::<()>().await;
        }
        Reply::Silence => std::future::pending::<()>().await,
    }
}

fn varint(into: &mut BytesMut, mut number: u32) {
    while number >= 0x80 {
        into.put_u8((number & 0x7F) as u8 | 0x80);
        number >>= 7;
    }
    into.put_u8(number as u8);
}
