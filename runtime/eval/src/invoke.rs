//! `invoke`: calls of functions of providers.
//!
//! The rules, with examples: `tests/spec/run/invoke.md`.

use std::sync::Arc;

use pcl_binder::schema_types::Nominal;
use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::{Call, ExprId};
use pcl_schema::{FunctionSpec, MemberId, ReturnSpec};
use pcl_values::{Dependencies, PropertyMap, PropertyValue, ProviderReference, ResourceId, Urn};

use crate::expression::convert::to_text;
use crate::expression::evaluate::Evaluator;
use crate::monitor::{Called, Invoke};
use crate::node::resource::{converter, properties, without_outputs};
use crate::node::{hidden, resource_of};
use crate::run::Run;
use crate::schema::Facts;
use crate::schema::inputs::Unreadable;
use crate::stop::{Stop, both};
use crate::value::{Kind, Marks, Object, Value};
use crate::wording;

/// A function of a package.
pub(crate) struct Callee<'s> {
    facts: Facts<'s>,
    member: MemberId,
    spec: &'s FunctionSpec,
    pub token: &'s str,
}

impl<'s> Callee<'s> {
    /// The function that a call means.
    pub fn of(evaluator: &Evaluator<'s>, id: ExprId, call: &Call) -> Result<Self, Stop> {
        let run = evaluator.run();
        let name = run.program.types.name(call.name);
        let unknown = || wording::unknown(evaluator.span(id), name);
        let callee = call.signature.callee.and_then(Nominal::from_key).ok_or_else(unknown)?;
        let facts = Facts::new(&run.program.schemas, callee.package);
        let spec = facts.schema().function_by_id(callee.member).ok().flatten();
        Ok(Self {
            facts,
            member: callee.member,
            spec: spec.ok_or_else(unknown)?,
            token: facts.schema().token(callee.member),
        })
    }

    /// The arguments as the schema wants them. `span` is the place to blame; texts are not shown
    /// if one of the arguments is secret.
    pub fn converted(
        &self,
        evaluator: &Evaluator<'_>,
        arguments: PropertyMap,
        marks: &Marks,
        span: Span,
    ) -> Result<PropertyMap, Stop> {
        let Some(inputs) = &self.spec.inputs else { return Ok(arguments) };
        let converted =
            converter(evaluator.run()).apply(self.facts, self.member, inputs, arguments);
        converted.map_err(|error| {
            let text = error.text.filter(|_| !marks.is_secret());
            let error = Unreadable { text, ..error };
            wording::unreadable_input(span, self.token, &error).into()
        })
    }

    /// The value of an answer: an object, in which properties that are missing are null, or the
    /// only property of one.
    pub fn result(&self, run: &Run, mut answer: PropertyMap, span: Span) -> Result<Value, Stop> {
        run.fetch_referred(&answer, span);
        let too_large = |error| wording::too_large(span, error);
        let is_object = match &self.spec.returns {
            Some(ReturnSpec::Object(properties)) => {
                let names = properties.names().filter(|name| !answer.contains_key(*name));
                let missing = names.map(|name| (name.into(), PropertyValue::Null));
                answer.extend(missing.collect::<Vec<_>>());
                true
            }
            Some(ReturnSpec::Type(spec)) => self.facts.object(spec).is_some(),
            None => true,
        };
        if is_object {
            let object = Object::from_properties(&answer).map_err(too_large)?;
            return Ok(Kind::Object(Arc::new(object)).into());
        }
        match (answer.len(), answer.values().next()) {
            (1, Some(only)) => Ok(Value::from_property(only).map_err(too_large)?),
            (found, _) => Err(not_one_result(span, self.token, found).into()),
        }
    }
}

/// The value of a call of `invoke`.
pub(crate) fn invoke(
    evaluator: &mut Evaluator<'_>,
    id: ExprId,
    call: &Call,
) -> Result<Value, Stop> {
    let callee = Callee::of(evaluator, id, call)?;
    let span = evaluator.span(id);
    let arguments = arguments(evaluator, call);
    let settings = match options_argument(call) {
        Some(at) => {
            evaluator.sound(at).and_then(|value| Settings::read(&value, evaluator.span(at)))
        }
        None => Ok(Settings::default()),
    };
    let ((sent, mut marks), settings) = both(arguments, settings)?;
    let of_options: Dependencies = settings.depends_on.into_iter().collect();
    let depends_on = marks.dependencies().union(&of_options);
    let run = evaluator.run();
    run.spend_request(&sent, || span)?;
    let accepts_outputs = run.features().invoke_outputs;
    let sent = if accepts_outputs { sent } else { plain(sent) };
    let request = Invoke {
        token: callee.token.to_owned(),
        arguments: callee.converted(evaluator, hidden_arguments(evaluator, sent), &marks, span)?,
        depends_on: depends_on.clone(),
        provider: settings.provider,
        parent: settings.parent.or_else(|| evaluator.frame.parent().cloned()),
        package: run.package_of(callee.token),
        version: settings.version,
        plugin_download_url: settings.plugin_download_url,
        has_secret_plugin: settings.has_secret_plugin,
        accepts_resources: false,
        accepts_outputs,
    };
    marks = Marks::new(marks.is_secret() && !accepts_outputs, depends_on);
    match run.answered(run.monitor.invoke(&request), span)? {
        Called::Unknown => Ok(Value::unknown(marks)),
        Called::Failures(failures) => Err(wording::refused(span, callee.token, &failures).into()),
        Called::Result(answer, _) => {
            if accepts_outputs {
                // The engine says what each part of the result depends on.
                marks = Marks::new(false, of_options);
            }
            Ok(callee.result(run, answer, span)?.marked(&marks))
        }
    }
}

/// Arguments without their outputs, but with their secrets.
pub(crate) fn plain(arguments: PropertyMap) -> PropertyMap {
    arguments.into_iter().map(|(name, value)| (name, without_outputs(value))).collect()
}

/// Arguments as they are sent: in a loop over a secret, all are secret.
pub(crate) fn hidden_arguments(evaluator: &Evaluator<'_>, arguments: PropertyMap) -> PropertyMap {
    if !evaluator.is_hidden() {
        return arguments;
    }
    let arguments = arguments.into_iter().map(|(name, value)| match value {
        PropertyValue::Secret(_) => (name, value),
        value => (name, value.secret()),
    });
    arguments.collect()
}

/// The marks of arguments that are sent like this. A resource among them is sent as a reference, so
/// its secret properties do not count.
pub(crate) fn marks_of(sent: &PropertyMap, own: &Marks, dependencies: &Dependencies) -> Marks {
    let is_secret = own.is_secret() || sent.values().any(PropertyValue::has_secrets);
    Marks::new(is_secret, dependencies.clone())
}

/// The arguments with the marks of all their parts: one object, or one argument for each name.
fn arguments(evaluator: &mut Evaluator<'_>, call: &Call) -> Result<(PropertyMap, Marks), Stop> {
    if !call.signature.multi_argument {
        let Some(&at) = call.arguments.get(1) else { return Ok((PropertyMap::new(), Marks::NONE)) };
        let value = evaluator.sound(at)?;
        let sent = fields(evaluator, &value, evaluator.span(at), &hidden(&value))?;
        let marks = marks_of(&sent, &value.marks, value.deep_marks().dependencies());
        return Ok((sent, marks));
    }
    let mut values = evaluator.operands(call.arguments.get(1..).unwrap_or_default())?;
    if call.expands_last
        && let Some(last) = values.pop()
    {
        let elements = last.as_list().unwrap_or_default().iter();
        values.extend(elements.map(|element| element.clone().marked(&last.marks)));
    }
    // The token comes before the inputs, the options after them.
    let count = call.signature.parameters.len().saturating_sub(2);
    let names = call.signature.parameters.iter().skip(1).take(count);
    let marks: Vec<Marks> = values.iter().take(count).map(Value::deep_marks).collect();
    let sent = names.zip(values).map(|(parameter, value)| (Arc::from(&*parameter.name), value));
    let sent = properties(sent)?;
    let marks = marks_of(&sent, &Marks::NONE, Marks::all(&marks).dependencies());
    Ok((sent, marks))
}

/// The fields of an object of arguments with the marks of the object; none for null, and for what
/// some stack may give.
pub(crate) fn fields(
    evaluator: &Evaluator<'_>,
    value: &Value,
    span: Span,
    marks: &Marks,
) -> Result<PropertyMap, Stop> {
    match &value.kind {
        Kind::Object(object) => {
            let fields = object.iter();
            properties(fields.map(|(name, value)| (Arc::clone(name), value.clone().marked(marks))))
        }
        Kind::Null => Ok(PropertyMap::new()),
        Kind::Unknown if evaluator.run().settings.any_stack => Ok(PropertyMap::new()),
        _ => Err(wording::unexpected(value, span, "an object of arguments")),
    }
}

fn options_argument(call: &Call) -> Option<ExprId> {
    let at = if call.signature.multi_argument {
        call.signature.parameters.len().checked_sub(1)?
    } else {
        2
    };
    call.arguments.get(at).copied()
}

/// The options of a call.
#[derive(Default)]
struct Settings {
    provider: Option<ProviderReference>,
    parent: Option<Urn>,
    depends_on: Vec<Urn>,
    version: String,
    plugin_download_url: String,
    has_secret_plugin: bool,
}

impl Settings {
    fn read(value: &Value, span: Span) -> Result<Self, Stop> {
        let mut settings = Self::default();
        let object = match &value.kind {
            Kind::Object(object) => object,
            Kind::Null | Kind::Unknown => return Ok(settings),
            _ => return Err(wording::unexpected(value, span, "an object of options")),
        };
        let marks = hidden(value);
        for (name, value) in object.iter() {
            let value = &value.clone().marked(&marks);
            if value.is_null() || value.is_unknown() {
                continue;
            }
            let text = || -> Result<String, Stop> {
                let text = to_text(value, span)?;
                let text = text.map(|text| text.unmarked().to_string());
                Ok(text.unwrap_or_default())
            };
            let is_of_plugin =
                ["version", "pluginDownloadUrl", "pluginDownloadURL"].contains(&&**name);
            settings.has_secret_plugin |= is_of_plugin && hidden(value).is_secret();
            match &**name {
                "provider" => {
                    let resource = resource_of(value, span, name)?;
                    let id = match resource.id() {
                        ResourceId::Known(id) => Some(id.clone()),
                        _ => None,
                    };
                    let urn = resource.urn().clone();
                    settings.provider = Some(ProviderReference { urn, id });
                }
                "parent" => settings.parent = Some(resource_of(value, span, name)?.urn().clone()),
                "dependsOn" => depends_on(value, span, &mut settings.depends_on)?,
                "version" => settings.version = text()?,
                "pluginDownloadUrl" | "pluginDownloadURL" => {
                    settings.plugin_download_url = text()?;
                }
                _ => {}
            }
        }
        Ok(settings)
    }
}

fn depends_on(value: &Value, span: Span, urns: &mut Vec<Urn>) -> Result<(), Stop> {
    match &value.kind {
        Kind::Null | Kind::Unknown => {}
        Kind::List(list) => {
            for element in list.elements() {
                depends_on(&element.clone().marked(&hidden(value)), span, urns)?;
            }
        }
        _ => urns.push(resource_of(value, span, "dependsOn")?.urn().clone()),
    }
    Ok(())
}

/// A function has one result, but the answer has another number of them.
fn not_one_result(span: Span, token: &str, found: usize) -> Diagnostic {
    let message = format!("expected one result of `{token}`, found {found}");
    Diagnostic::error(Code::EngineError, span, message)
}
