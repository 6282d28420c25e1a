//! `codegen.Loader` services.

use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pcl_remote::{Client, ServiceLoader};
use pcl_schema::{Loader, PackageRequest, Parameterization, parse_version};

use crate::server::{Reply, Server};

const LIMIT: Duration = Duration::from_secs(2);

fn load(address: &str, request: &PackageRequest) -> Result<String, String> {
    let start = Instant::now();
    let loader = ServiceLoader::new(address).with_time_limit(LIMIT);
    let loaded = loader.load(request);
    assert!(start.elapsed() < LIMIT * 4, "{:?}", start.elapsed());
    match loaded {
        Ok(package) => Ok(package.name().to_owned()),
        Err(error) => Err(error.to_string().replace(address, "HOST")),
    }
}

#[test]
fn a_service_is_asked_what_it_has_to_know() {
    let server = Server::start(|_| Reply::text(r#"{"name": "tfe", "version": "0.70.0"}"#));
    let mut request =
        PackageRequest::new("bridge").with_version(parse_version("0.13.0").expect("a version"));
    request.download_url = Some("https://example.com".to_owned());
    request.parameterization = Some(Parameterization {
        name: "tfe".to_owned(),
        version: parse_version("0.70.0").expect("a version"),
        value: vec![0xFF, 1],
    });
    assert_eq!(load(&server.address(), &request), Ok("tfe".to_owned()));
    let calls = server.calls.lock().expect("no panic").clone();
    let message = b"\x0a\x06bridge\x12\x060.13.0\x1a\x13https://example.com\x22\x11\x0a\x03tfe\x12\x060.70.0\x1a\x02\xff\x01";
    assert_eq!(calls, [("GetSchema".to_owned(), message.to_vec())]);
}

#[test]
fn a_request_is_made_once() {
    let server = Server::start(|_| Reply::text(r#"{"name": "zoo"}"#));
    let loader = ServiceLoader::new(server.address());
    for _ in 0..3 {
        loader.load(&PackageRequest::new("zoo")).expect("it answers");
    }
    assert_eq!(server.methods(), ["GetSchema"]);
}

#[test]
fn an_answer_may_come_in_any_parts() {
    let parts: [&[u8]; 4] = [b"\0\0\0", b"\0\x10\x0a\x0e{\"na", b"me\":\"zoo", b"\"}"];
    let server = Server::start(move |_| Reply::Parts(parts.to_vec(), Some(0)));
    let answer = load(&server.address(), &PackageRequest::new("zoo"));
    assert_eq!(answer, Ok("zoo".to_owned()));
}

#[test]
fn a_connection_is_made_anew_after_it_is_lost() {
    #[derive(Clone, PartialEq, prost::Message)]
    struct Text {
        #[prost(string, tag = "1")]
        text: String,
    }
    let count = AtomicUsize::new(0);
    let server = Server::start(move |_| match count.fetch_add(1, Ordering::SeqCst) {
        1 => Reply::Breaks(100),
        _ => Reply::text("here"),
    });
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let client = Client::new(&server.address()).expect("an address");
        let call = || client.call::<Text, Text>("/a.B/C", Text::default());
        let here = Text { text: "here".to_owned() };
        assert_eq!(call().await.expect("an answer"), here);
        assert!(call().await.is_err(), "the connection breaks");
        let mut answer = call().await;
        for _ in 0..100 {
            if answer.is_err() {
                tokio::time::sleep(Duration::from_millis(10)).await;
                answer = call().await;
            }
        }
        assert_eq!(answer.expect("an answer"), here);
    });
}

#[test]
fn services_that_do_not_answer_as_they_should() {
    let request = PackageRequest::new("zoo");
    let told = |reply: fn() -> Reply| {
        let server = Server::start(move |_| reply());
        load(&server.address(), &request).expect_err("it cannot be used")
    };
    assert_eq!(
        told(|| Reply::Status(2, "no such\u{20}plugin")),
        "no schema for zoo; searched the loader service HOST (no such plugin)"
    );
    assert_eq!(
        told(|| Reply::Status(14, "not now")),
        "the loader service HOST answered with an error: not now (The service is currently unavailable)"
    );
    assert_eq!(told(|| Reply::Silence), "the loader service HOST did not answer within 2 s");
    assert_eq!(
        told(|| Reply::text("")),
        "the loader service HOST answered with a document that is not a schema: the document is empty; plugins without a schema return this at 1:1"
    );
    assert_eq!(
        told(|| Reply::text(r#"{"name": "ark"}"#)),
        "the document is the schema of ark, not of zoo"
    );
    let message = b"\x00\x00\x00\x00\x0e\x0a\x0c{\"name\":\"x\"}";
    let odd = [
        (vec![&message[..], message], Some(0), "is not one message"),
        (vec![&message[..9]], Some(0), "is not one message"),
        (vec![], Some(0), "is not one message"),
        (vec![message], None, "has no status (HTTP status 200 OK)"),
        (vec![b"\x01\0\0\0\0"], Some(0), "is compressed"),
    ];
    for (parts, status, reason) in odd {
        let server = Server::start(move |_| Reply::Parts(parts.clone(), status));
        assert_eq!(
            load(&server.address(), &request),
            Err(format!(
                "no schema for zoo; searched the loader service HOST (the answer {reason})"
            ))
        );
    }
    assert_eq!(
        told(|| Reply::Headers(503, None)),
        "the loader service HOST answered with an error: the answer has no status (HTTP status \
         503 Service Unavailable) (The service is currently unavailable)"
    );
    assert_eq!(
        told(|| Reply::Headers(200, Some(5))),
        "no schema for zoo; searched the loader service HOST (nothing (Some requested entity was \
         not found))"
    );
    let nobody = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = nobody.local_addr().expect("an address").to_string();
    assert_eq!(
        load(&address, &request),
        Err("the loader service HOST did not answer within 2 s".to_owned())
    );
    drop(nobody);
    assert_eq!(
        load(&address, &request),
        Err("the loader service HOST cannot be reached at HOST: Connection refused (os error 111)"
            .to_owned())
    );
    for address in ["", "nonsense", "a b:1", "http://x:1", "[::1"] {
        assert!(load(address, &request).is_err(), "{address}");
    }
}
