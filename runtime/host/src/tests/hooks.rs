//! Hooks, which the engine calls while and after a program runs.

use std::sync::{Arc, Mutex};

use prost::Message;
use tonic::Code;

use super::engine::{Engine, Manner, directory, with_engine};
use crate::protocol::language::RunResponse;
use crate::protocol::resource::{
    Callback, CallbackInvokeRequest, CallbackInvokeResponse, ErrorHookRequest, ErrorHookResponse,
    ResourceHookRequest, ResourceHookResponse,
};

const PROGRAM: &str = r#"
hook resource say {
  command = ["sh", "-c", "echo \"$1\" > said; echo heard; exit $2", "sh", args.name, args.id]
}
hook error again {
  command = ["test", args.name, "=", "box"]
}
resource box "toy:index:Box" {
  options { hooks = { afterCreate = [say], onError = [again] } }
}
"#;

/// The runtime of an engine that waits for its hooks.
fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap()
}

/// A call of the hook behind a callback.
async fn invoke(
    callback: &Callback,
    request: impl Message,
) -> Result<CallbackInvokeResponse, tonic::Status> {
    let client = pcl_remote::Client::new(&callback.target).unwrap();
    let request = CallbackInvokeRequest {
        token: callback.token.clone(),
        request: request.encode_to_vec().into(),
    };
    client.call("/pulumirpc.Callbacks/Invoke", request).await
}

/// The answer of a hook of a resource `box` with this id.
async fn called(callback: &Callback, id: &str) -> ResourceHookResponse {
    let request =
        ResourceHookRequest { name: "box".into(), id: id.into(), ..ResourceHookRequest::default() };
    let answer = invoke(callback, request).await.unwrap();
    ResourceHookResponse::decode(answer.response).unwrap()
}

#[test]
fn hooks_run_while_the_program_does_and_not_later() {
    let program = directory(&[("main.pp", PROGRAM)]);
    let path = program.path().to_owned();
    let engine = Engine::default();
    let (hooks, errors) = (Arc::clone(&engine.hooks), Arc::clone(&engine.error_hooks));
    let answers: Arc<Mutex<Vec<ResourceHookResponse>>> = Arc::default();
    let retries: Arc<Mutex<Vec<ErrorHookResponse>>> = Arc::default();
    let act = {
        let (hooks, answers, retries) = (hooks.clone(), answers.clone(), retries.clone());
        move || {
            let hook = hooks.lock().unwrap()[0].callback.clone().unwrap();
            let again = errors.lock().unwrap()[0].callback.clone().unwrap();
            let (answers, retries) = (answers.clone(), retries.clone());
            // The engine waits for its hooks.
            let work = std::thread::spawn(move || {
                runtime().block_on(async {
                    for id in ["0", "3"] {
                        let answer = called(&hook, id).await;
                        answers.lock().unwrap().push(answer);
                    }
                    for name in ["box", "bag"] {
                        let request =
                            ErrorHookRequest { name: name.into(), ..ErrorHookRequest::default() };
                        let answer = invoke(&again, request).await.unwrap();
                        let answer = ErrorHookResponse::decode(answer.response).unwrap();
                        retries.lock().unwrap().push(answer);
                    }
                    let guessed = Callback { token: "guessed".into(), ..hook.clone() };
                    let refused = invoke(&guessed, ResourceHookRequest::default()).await;
                    assert_eq!(refused.unwrap_err().code(), Code::NotFound);
                });
            });
            work.join().unwrap();
        }
    };
    let engine = Engine { manner: Manner::After(Arc::new(act)), ..engine };
    with_engine(engine, |pair| async move {
        pair.shake_hands().await;
        let answer = pair.run(pair.request(&path)).await.unwrap();
        assert_eq!(answer, RunResponse::default(), "{}", pair.engine.log_text());
        let answers = std::mem::take(&mut *answers.lock().unwrap());
        assert_eq!(answers[0].error, "");
        assert_eq!(answers[1].error, "hook `say`: the command failed with exit status 3\nheard");
        assert_eq!(std::fs::read_to_string(path.join("said")).unwrap(), "box\n");
        let retries = std::mem::take(&mut *retries.lock().unwrap());
        assert_eq!(retries.iter().map(|it| it.retry).collect::<Vec<_>>(), [true, false]);
        let hook = hooks.lock().unwrap()[0].callback.clone().unwrap();
        let late = invoke(&hook, ResourceHookRequest::default()).await;
        assert_eq!(late.unwrap_err().code(), Code::NotFound);
    });
}

#[test]
fn a_command_that_cannot_be_evaluated_or_started_is_an_answer() {
    let text = "hook resource none {\n  command = [\"./not-there\", \"t0p\"]\n}\n\
                hook resource bad {\n  command = [args.newInputs.missing]\n}\n\
                resource box \"toy:index:Box\" {\n  \
                options { hooks = { afterCreate = [none, bad] } }\n}\n";
    let program = directory(&[("main.pp", text)]);
    let path = program.path().to_owned();
    let engine = Engine::default();
    let hooks = Arc::clone(&engine.hooks);
    let answers: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = answers.clone();
    let act = move || {
        let mut hooks = hooks.lock().unwrap().clone();
        hooks.sort_by(|a, b| b.name.cmp(&a.name));
        let kept = kept.clone();
        let work = std::thread::spawn(move || {
            runtime().block_on(async {
                for hook in hooks {
                    let answer = called(&hook.callback.unwrap(), "1").await;
                    kept.lock().unwrap().push(answer.error);
                }
            });
        });
        work.join().unwrap();
    };
    let engine = Engine { manner: Manner::After(Arc::new(act)), ..engine };
    with_engine(engine, |pair| async move {
        pair.shake_hands().await;
        pair.run(pair.request(&path)).await.unwrap();
        let answers = answers.lock().unwrap();
        assert!(
            answers[0].starts_with("hook `none`: the command cannot be started"),
            "{answers:?}"
        );
        assert!(!answers[0].contains("t0p"));
        assert!(answers[1].starts_with("hook `bad`: "), "{answers:?}");
    });
}

/// The engine ends what it has begun, also for a run that has failed.
#[test]
fn hooks_of_a_run_that_fails_stay() {
    let text = "hook resource say {\n  command = [for word in [\"true\"] : word]\n}\n\
                hook error none {\n  command = [\"./not-there\"]\n}\n\
                resource box \"toy:index:Box\" {\n  \
                options { hooks = { afterCreate = [say], onError = [none] } }\n}\n";
    let program = directory(&[("main.pp", text)]);
    let refusing = Manner::Refusing(tonic::Status::unknown("no more boxes"));
    with_engine(Engine::answering(refusing), |pair| async move {
        pair.shake_hands().await;
        let answer = pair.run(pair.request(program.path())).await.unwrap();
        assert!(answer.bail);
        let hook = pair.engine.hooks.lock().unwrap()[0].callback.clone().unwrap();
        assert_eq!(called(&hook, "1").await.error, "");
        // That a command cannot be started is no decision against another try.
        let hook = pair.engine.error_hooks.lock().unwrap()[0].callback.clone().unwrap();
        let answer = invoke(&hook, ErrorHookRequest::default()).await.unwrap();
        let answer = ErrorHookResponse::decode(answer.response).unwrap();
        assert!(!answer.retry);
        assert!(answer.error.contains("`none`: the command cannot be started"), "{answer:?}");
    });
}
