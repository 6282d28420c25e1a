//! Functions: objects of one key that begins with `fn::`.

use pcl::schema::Section;
use pcl::schema::yaml::{Data, Key, Node};
use pcl::syntax::{is_identifier, quoted};

use crate::converter::{Converter, DefaultProvider};
use crate::interpolation::{Piece, Step, pieces};
use crate::keys::{INVOKE, INVOKE_OPTIONS};
use crate::mistakes::invalid;
use crate::packages::{exact, package_of};
use crate::value::Expr;

/// The form of a function in PCL.
#[derive(Clone, Copy)]
enum Form {
    /// A function with the argument as it is.
    One(&'static str),
    /// A function with the two elements of the argument, which is a list.
    Two(&'static str),
    Invoke,
    Select,
    StackReference,
}

/// The functions.
const FUNCTIONS: [(&str, Form); 24] = [
    ("fn::assetArchive", Form::One("assetArchive")),
    ("fn::fileArchive", Form::One("fileArchive")),
    ("fn::fileAsset", Form::One("fileAsset")),
    ("fn::filebase64", Form::One("filebase64")),
    ("fn::filebase64sha256", Form::One("filebase64sha256")),
    ("fn::fromBase64", Form::One("fromBase64")),
    ("fn::invoke", Form::Invoke),
    ("fn::join", Form::Two("join")),
    ("fn::length", Form::One("length")),
    ("fn::pulumiResourceName", Form::One("pulumiResourceName")),
    ("fn::pulumiResourceType", Form::One("pulumiResourceType")),
    ("fn::readFile", Form::One("readFile")),
    ("fn::remoteArchive", Form::One("remoteArchive")),
    ("fn::remoteAsset", Form::One("remoteAsset")),
    ("fn::secret", Form::One("secret")),
    ("fn::select", Form::Select),
    ("fn::sha1", Form::One("sha1")),
    ("fn::singleOrNone", Form::One("singleOrNone")),
    ("fn::split", Form::Two("split")),
    ("fn::stackReference", Form::StackReference),
    ("fn::stringAsset", Form::One("stringAsset")),
    ("fn::toBase64", Form::One("toBase64")),
    ("fn::toJSON", Form::One("toJSON")),
    ("fn::unsecret", Form::One("unsecret")),
];

/// The parts of a call of a function of a package.
#[derive(Default)]
struct Invoke<'n> {
    token: String,
    arguments: Option<&'n Node>,
    options: Option<&'n Node>,
    result: Option<String>,
}

impl Converter<'_> {
    /// The call that an object is; `None` for a plain object.
    pub fn function(&mut self, node: &Node, entries: &[(Key, Node)], depth: usize) -> Option<Expr> {
        let is_call =
            |key: &Key| key.text.get(..4).is_some_and(|it| it.eq_ignore_ascii_case("fn::"));
        let (key, argument) = entries.iter().find(|(key, _)| is_call(key))?;
        if entries.len() > 1 {
            let message = format!("`{}` must be the only key of its object", key.text);
            self.diagnostics.push(invalid(self.span(key.at), message));
            return Some(Expr::Null);
        }
        let names = FUNCTIONS.map(|(name, _)| name);
        let known = self.known(key, &names);
        if let Some(name) = known {
            let form = FUNCTIONS.iter().find(|(known, _)| *known == name)?.1;
            return Some(self.call(node, name, form, argument, depth));
        }
        let token = key.text.get(4..).unwrap_or_default();
        if matches!(token.split(':').count(), 2 | 3) && token.split(':').all(|it| !it.is_empty()) {
            let is_object = matches!(*argument.data, Data::Map(_));
            let arguments = is_object.then_some(argument);
            let invoke = Invoke { token: token.to_owned(), arguments, ..Invoke::default() };
            return Some(self.invoke(&invoke, depth + 1));
        }
        let message = format!("there is no function `{}`", key.text);
        let mut unknown = invalid(self.span(key.at), message);
        if let Some(similar) = pcl::diagnostics::suggest(&key.text, names) {
            unknown = unknown.help(format!("did you mean `{similar}`?"));
        }
        self.diagnostics.push(unknown);
        Some(Expr::Null)
    }

    fn call(&mut self, node: &Node, name: &str, form: Form, argument: &Node, depth: usize) -> Expr {
        let depth = depth + 1;
        match form {
            Form::One(function) => Expr::Call(function, vec![self.value_at(argument, depth)]),
            Form::Two(function) => match self.two(name, argument) {
                Some([first, second]) => {
                    let first = self.value_at(first, depth);
                    Expr::Call(function, vec![first, self.value_at(second, depth)])
                }
                None => Expr::Null,
            },
            Form::Select => match self.two(name, argument) {
                Some([index, values]) => {
                    let index = self.value_at(index, depth).text();
                    let values = self.value_at(values, depth);
                    Expr::Raw(format!("{}[{index}]", values.text()))
                }
                None => Expr::Null,
            },
            Form::StackReference => self.stack_reference(name, argument, depth),
            Form::Invoke => {
                let fields = self.record(argument, &INVOKE);
                let token = fields.get("function");
                if token.is_none() {
                    let message = "`fn::invoke` is missing `function`, the token of a function";
                    self.diagnostics.push(invalid(self.span(node.at), message));
                }
                let token = token.and_then(|token| self.plain_text(token, "`function`"));
                let result = fields.get("return");
                let result = result.and_then(|result| self.plain_text(result, "`return`"));
                let Some(token) = token else { return Expr::Null };
                let (arguments, options) = (fields.get("arguments"), fields.get("options"));
                self.invoke(&Invoke { token, arguments, options, result }, depth)
            }
        }
    }

    /// The two elements of a list.
    fn two<'n>(&mut self, name: &str, argument: &'n Node) -> Option<[&'n Node; 2]> {
        if let Some([first, second]) = argument.items()
            && !argument.is_alias
        {
            return Some([first, second]);
        }
        let message = format!("`{name}` takes a list of two values");
        self.diagnostics.push(invalid(self.span(argument.at), message));
        None
    }

    fn stack_reference(&mut self, name: &str, argument: &Node, depth: usize) -> Expr {
        let Some([stack, output]) = self.two(name, argument) else { return Expr::Null };
        let Some(stack) = self.plain_text(stack, "the name of the stack") else {
            return Expr::Null;
        };
        let output = self.value_at(output, depth);
        let label = match self.stacks.get(&stack) {
            Some(label) => label.clone(),
            None => {
                let label = self.names.give(stack.rsplit('/').next().unwrap_or(&stack), "stack");
                self.stacks.insert(stack, label.clone());
                label
            }
        };
        Expr::Call("getOutput", vec![Expr::Raw(label), output])
    }

    fn invoke(&mut self, invoke: &Invoke<'_>, depth: usize) -> Expr {
        let options = invoke.options.map(|options| self.record(options, &INVOKE_OPTIONS));
        let field = |name| options.as_ref().and_then(|options| options.get(name));
        let version = field("version").and_then(|version| version.text());
        let token = self.packages.token(Section::Functions, &invoke.token, version);
        let mut arguments = vec![Expr::Text(token.clone())];
        let schema = self.packages.function(&token);
        let inputs = schema.as_ref().map_or(&[][..], |schema| &schema.multi_argument_inputs);
        if inputs.is_empty() {
            arguments.push(match invoke.arguments {
                Some(given) => self.value_at(given, depth + 1),
                None => Expr::Object(Vec::new()),
            });
        } else {
            let given = |name: &str| Some(&invoke.arguments?.entry(name)?.1);
            let nodes: Vec<Option<&Node>> = inputs.iter().map(|name| given(name)).collect();
            let last = nodes.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
            let count = if options.is_some() { nodes.len() } else { last };
            for node in nodes.into_iter().take(count) {
                let value = node.map(|node| self.value_at(node, depth + 1));
                arguments.push(value.unwrap_or(Expr::Null));
            }
        }
        let mut written = Vec::new();
        for (name, _, value) in options.iter().flat_map(|options| &options.0) {
            let name = if *name == "pluginDownloadURL" { "pluginDownloadUrl" } else { name };
            let expression = match (name, value.text()) {
                ("version", Some(version)) => Expr::Text(exact(version)),
                _ => self.value_at(value, depth + 1),
            };
            written.push((name.to_owned(), expression));
        }
        self.add_default_provider(&invoke.token, depth, &mut written);
        if !written.is_empty() {
            arguments.push(Expr::Row(written));
        }
        let call = Expr::Call("invoke", arguments);
        let Some(result) = &invoke.result else { return call };
        if result.is_empty() {
            return call;
        }
        let step = if is_identifier(result) {
            format!(".{result}")
        } else {
            format!("[{}]", quoted(result))
        };
        Expr::Raw(call.text() + &step)
    }

    /// The provider that a call has without saying so: only one that is the whole value of a
    /// variable has it.
    fn add_default_provider(&self, token: &str, depth: usize, options: &mut Vec<(String, Expr)>) {
        if depth > 1 || options.iter().any(|(name, _)| name == "provider") || !self.is_variable {
            return;
        }
        if let Some(DefaultProvider { name, version }) =
            self.default_providers.get(package_of(token))
        {
            options.push(("provider".to_owned(), Expr::Raw(name.clone())));
            if let Some(version) = version {
                options.push(("version".to_owned(), Expr::Text(exact(version))));
            }
        }
    }

    /// The name of the only declaration that a value refers to, with the steps behind it.
    pub fn only_reference(node: &Node) -> Option<(String, Vec<Step>)> {
        match <[Piece; 1]>::try_from(pieces(node.text()?).ok()?) {
            Ok([Piece::Reference(name, steps)]) => Some((name, steps)),
            _ => None,
        }
    }
}
