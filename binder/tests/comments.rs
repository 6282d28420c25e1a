//! Comments of nodes and attributes, for generators that carry them over.

mod support;

use pcl_binder::{NodeBody, NodeKind, Options};
use pcl_syntax::Comment;
use support::check_with;

const TEXT: &str = r#"# a file

// what it is
resource a "toy:index:Box" { # opens
  # its name
  name = "x" // behind it
  options {
    # why
    protect = true
  }
  # the end
} /* closes */
x = 1 # a local
"#;

fn lines(comments: &[Comment<'_>]) -> Vec<String> {
    let lines = comments.iter().flat_map(|comment| comment.lines());
    lines.map(|line| line.trim().to_owned()).collect()
}

#[test]
fn nodes_and_attributes_have_the_comments_around_them() {
    let checked = check_with(TEXT, &Options::default());
    assert_eq!(checked.diagnostics(), [""; 0]);
    let module = &checked.program.module;
    let node = module.node(checked.node(NodeKind::Resource, "a"));
    let comments = module.comments(node);
    assert_eq!(lines(&comments.around.detached), ["a file"]);
    assert_eq!(lines(&comments.around.leading), ["what it is"]);
    assert_eq!(lines(&comments.open), ["opens"]);
    assert_eq!(lines(&comments.close), ["the end"]);
    assert_eq!(lines(&comments.around.trailing), ["closes"]);

    let NodeBody::Resource(body) = &node.body else {
        panic!("a resource");
    };
    let name = module.attribute_comments(node, &body.inputs[0]);
    assert_eq!(lines(&name.leading), ["its name"]);
    assert_eq!(lines(&name.trailing), ["behind it"]);
    let protect = module.attribute_comments(node, node.option("protect").expect("an option"));
    assert_eq!(lines(&protect.leading), ["why"]);

    let local = module.node(checked.node(NodeKind::Local, "x"));
    assert_eq!(lines(&module.comments(local).around.trailing), ["a local"]);
}
