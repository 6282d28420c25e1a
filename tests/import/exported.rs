//! The states of programs that the real command has run. `tests/engine/round_trip.py` records them.

use pcl::import::Request;
use pcl_test_support::{root, sorted};

use crate::generated::schemas;
use crate::law::law;

#[test]
fn states_of_the_real_engine_keep_the_law() {
    let place = root().join("tests/import/exported");
    let (_, schemas) = schemas(&sorted(&place.join("schemas")));
    let (mut states, mut complaints) = (0, Vec::new());
    for path in sorted(&place).into_iter().filter(|path| path.is_file()) {
        let text = std::fs::read_to_string(&path).expect("the state is text");
        let state = serde_json::from_str(&text).expect("the state is JSON");
        for fold in [false, true] {
            let request = Request { fold, ..Request::default() };
            if let Err(reason) = law(&state, &schemas, &request) {
                complaints.push(format!("{}: {reason}", path.display()));
            }
        }
        states += 1;
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
    assert!(states >= 30, "{states} states");
}
