//! Calls of functions: Pulumi YAML's own, and those of packages.

use pcl::document::{Call, ExpressionIndex};
use pcl::generated::Unsupported;
use pcl::language::Function;

use crate::expression::{Said, Speaker, fail};
use crate::limit::Limit;
use crate::resource::spelled;
use crate::yaml::{Entry, Value};

/// The form of a PCL function in Pulumi YAML.
#[derive(Clone, Copy)]
enum Form {
    /// As a variable of the same name that is always there.
    Variable,
    /// As a function of the same name, with its one argument as it is.
    One,
    /// With its two arguments as a list.
    Two,
    /// As `fn::select`, with its two arguments as a list, the second first.
    Swapped,
}

/// The form of a function in Pulumi YAML; `None` if it has none.
const fn form(function: Function) -> Option<Form> {
    use Function as F;
    Some(match function {
        F::Cwd | F::Organization | F::Project | F::RootDirectory | F::Stack => Form::Variable,
        F::AssetArchive
        | F::FileArchive
        | F::FileAsset
        | F::Filebase64
        | F::Filebase64sha256
        | F::FromBase64
        | F::Length
        | F::PulumiResourceName
        | F::PulumiResourceType
        | F::ReadFile
        | F::RemoteArchive
        | F::RemoteAsset
        | F::Secret
        | F::Sha1
        | F::SingleOrNone
        | F::StringAsset
        | F::ToBase64
        | F::ToJson
        | F::Unsecret => Form::One,
        F::Join | F::Split => Form::Two,
        F::Element => Form::Swapped,
        // The first three have rules of their own.
        F::Call
        | F::GetOutput
        | F::Invoke
        | F::Can
        | F::Recover
        | F::Try
        | F::Entries
        | F::Lookup
        | F::Max
        | F::Min
        | F::Range
        | F::ResourceExists
        | F::NotImplemented => return None,
    })
}

/// Returns true if Pulumi YAML has a form of a function.
pub fn has_function(function: Function) -> bool {
    form(function).is_some() || matches!(function, Function::Invoke | Function::GetOutput)
}

/// The call of a function of a package.
pub(crate) const INVOKE: &str = "fn::invoke";

/// The options of an invoke, as PCL and as Pulumi YAML spell them.
const INVOKE_OPTIONS: &[(&str, &str)] = &[
    ("dependsOn", "dependsOn"),
    ("parent", "parent"),
    ("pluginDownloadURL", "pluginDownloadURL"),
    ("pluginDownloadUrl", "pluginDownloadURL"),
    ("provider", "provider"),
    ("version", "version"),
];

impl Speaker<'_> {
    pub(crate) fn call(&mut self, expression: ExpressionIndex, call: &Call) -> Said {
        if call.expands_last {
            return self.limit(
                Limit::Function,
                expression,
                "Pulumi YAML cannot spread a list over arguments",
            );
        }
        let function = call.function();
        match function {
            Some(Function::Invoke) => return self.invoke(expression, call),
            Some(Function::GetOutput) => return self.stack_output(expression, call),
            Some(Function::Call) => {
                return self.limit(
                    Limit::Method,
                    expression,
                    "Pulumi YAML cannot call methods of resources",
                );
            }
            _ => {}
        }
        let name = &call.name;
        let Some(form) = function.and_then(form) else {
            let message = format!("Pulumi YAML has no function `{name}`");
            return self.limit(Limit::Function, expression, message);
        };
        let arguments = self.operands(&call.arguments)?;
        match (form, <[Value; 2]>::try_from(arguments)) {
            (Form::Variable, _) => Ok(Value::Path(format!("pulumi.{name}"))),
            (Form::One, Err(mut arguments)) if arguments.len() == 1 => {
                Ok(Value::call(&format!("fn::{name}"), arguments.remove(0)))
            }
            (Form::Two, Ok(two)) => {
                Ok(Value::call(&format!("fn::{name}"), Value::List(two.into())))
            }
            (Form::Swapped, Ok([list, index])) => {
                Ok(Value::call("fn::select", Value::List(vec![index, list])))
            }
            _ => self.limit(
                Limit::Unbound,
                expression,
                "this call has the wrong number of arguments",
            ),
        }
    }

    /// `getOutput(stack, "name")`: a property of the stack reference.
    fn stack_output(&mut self, expression: ExpressionIndex, call: &Call) -> Said {
        if let &[stack, name] = &call.arguments[..]
            && let Some(name) = self.document.literal_string(name)
            && !name.contains(['"', '\\'])
        {
            let stack = self.operand(stack)?;
            let stack = self.reference(stack);
            return Ok(Value::Path(format!("{stack}.outputs[\"{name}\"]")));
        }
        self.limit(Limit::Key, expression, "Pulumi YAML takes only a plain name of an output")
    }

    fn invoke(&mut self, expression: ExpressionIndex, call: &Call) -> Said {
        let named = call.arguments.first().and_then(|&token| self.document.literal_string(token));
        let callee = call.callee.as_ref();
        let Some(token) = callee.map(|callee| callee.token.as_str()).or(named) else {
            return self.limit(Limit::Unbound, expression, "this function is not known");
        };
        let inputs = callee.map_or(&[][..], |callee| &callee.positional_inputs);
        let given = call.arguments.get(1..).unwrap_or_default();
        let (arguments, options) = if inputs.is_empty() {
            let arguments = match given.first() {
                Some(&object) => self.written_out(object)?,
                None => Vec::new(),
            };
            (arguments, given.get(1))
        } else {
            let pairs = inputs.iter().zip(given);
            let mut arguments = Vec::new();
            for (name, &value) in pairs {
                arguments.push(Entry::of_object(name, self.operand(value)?));
            }
            // Null means that an input is not given.
            arguments.retain(|entry| entry.value != Value::Null);
            (arguments, given.get(inputs.len()))
        };
        let mut entries = vec![Entry::new("function", Value::text(&spelled(token)))];
        if !arguments.is_empty() {
            entries.push(Entry::new("arguments", Value::Map(arguments)));
        }
        if let Some(&options) = options {
            let mut said = self.written_out(options)?;
            // Null means that an option is not given.
            said.retain(|option| option.value != Value::Null);
            for option in &mut said {
                let known = INVOKE_OPTIONS.iter().find(|(name, _)| *name == option.key);
                let Some((_, key)) = known else {
                    let message = format!("Pulumi YAML has no invoke option `{}`", option.key);
                    return self.limit(Limit::Option, options, message);
                };
                let is_literal = matches!(&option.value, Value::Text(text) if text.is_plain());
                if matches!(*key, "pluginDownloadURL" | "version") && !is_literal {
                    let message = format!("Pulumi YAML takes only a literal as `{}`", option.key);
                    return self.limit(Limit::Option, options, message);
                }
                option.key = (*key).to_owned();
            }
            entries.push(Entry::new("options", Value::Map(said)));
        }
        Ok(Value::call(INVOKE, Value::Map(entries)))
    }

    /// The entries of an object: Pulumi YAML wants to see the names of arguments and options.
    fn written_out(&self, object: ExpressionIndex) -> Result<Vec<Entry>, Vec<Unsupported>> {
        match self.operand(object)? {
            Value::Map(entries) => Ok(entries),
            Value::Null => Ok(Vec::new()),
            _ => {
                let place = self.document.expression(object).range;
                let message = "Pulumi YAML takes only arguments that are written out as an object";
                Err(fail(Limit::Function, place, message))
            }
        }
    }
}
