//! The specs of members.

use std::fmt::Write;

use pcl_schema::{
    Constant, Package, Properties, Reference, ReturnSpec, Section, TypeDef, TypeKind, TypeSpec,
};

use crate::package;

/// A type spec on one line.
fn show(package: &Package, ty: &TypeSpec) -> String {
    let text = match &ty.kind {
        TypeKind::Primitive(primitive) => primitive.as_str().to_owned(),
        TypeKind::Any => "any".to_owned(),
        TypeKind::Json => "json".to_owned(),
        TypeKind::Asset => "asset".to_owned(),
        TypeKind::Archive => "archive".to_owned(),
        TypeKind::Array(items) => format!("array<{}>", show(package, items)),
        TypeKind::Map(values) => format!("map<{}>", show(package, values)),
        TypeKind::Union(union) => {
            let mut text: String = union
                .elements
                .iter()
                .map(|element| show(package, element))
                .collect::<Vec<_>>()
                .join(" | ");
            if let Some(default) = union.default {
                let _ = write!(text, ", default {}", default.as_str());
            }
            if let Some(discriminator) = &union.discriminator {
                let _ = write!(text, ", by {} {:?}", discriminator.property, discriminator.mapping);
            }
            format!("({text})")
        }
        TypeKind::Reference(Reference::Type(id)) => format!("type {}", package.token(*id)),
        TypeKind::Reference(Reference::Resource(id)) => format!("resource {}", package.token(*id)),
        TypeKind::Reference(Reference::Provider) => "provider".to_owned(),
        TypeKind::Reference(Reference::Dangling { token, underlying }) => {
            format!("dangling {token} {}", underlying.map_or("", |primitive| primitive.as_str()))
        }
        TypeKind::Reference(Reference::External(reference)) => {
            format!("{} {} {:?}", reference.package, reference.version, reference.target)
        }
        TypeKind::Invalid => "invalid".to_owned(),
    };
    if ty.plain { format!("plain {text}") } else { text }
}

fn show_properties(out: &mut String, package: &Package, title: &str, properties: &Properties) {
    let _ = writeln!(out, "{title}:");
    for (name, spec) in properties.iter() {
        let _ = write!(
            out,
            "  {name}{}: {}",
            if spec.required { "" } else { "?" },
            show(package, &spec.ty)
        );
        for (word, value) in [("const", &spec.constant), ("default", &spec.default)] {
            match value {
                None => {}
                Some(Constant::Boolean(value)) => write!(out, ", {word} {value}").unwrap(),
                Some(Constant::Number(value)) => write!(out, ", {word} {value}").unwrap(),
                Some(Constant::String(value)) => write!(out, ", {word} {value:?}").unwrap(),
            }
        }
        if spec.secret {
            out.push_str(", secret");
        }
        if let Some(message) = &spec.deprecation_message {
            let _ = write!(out, ", deprecated: {message}");
        }
        out.push('\n');
    }
}

/// All members of a package, with their diagnostics.
fn dump(package: &Package) -> String {
    let mut out = String::new();
    for section in Section::ALL {
        for member in package.members(section) {
            let _ = writeln!(out, "{} {}", section.noun(), package.token(member));
            if let Some(spec) = package.resource_by_id(member).unwrap() {
                show_properties(&mut out, package, " properties", &spec.properties);
                show_properties(&mut out, package, " inputs", &spec.inputs);
                for (title, list) in [(" state", &spec.state_inputs), (" list", &spec.list_inputs)]
                {
                    list.iter()
                        .for_each(|inputs| show_properties(&mut out, package, title, inputs));
                }
                for method in &spec.methods {
                    let _ = writeln!(
                        out,
                        " method {} = {} {}",
                        method.name,
                        method.token,
                        method.function.is_some()
                    );
                }
                if spec.is_component {
                    out.push_str(" component\n");
                }
                if let Some(message) = &spec.deprecation_message {
                    let _ = writeln!(out, " deprecated: {message}");
                }
            }
            if let Some(spec) = package.function_by_id(member).unwrap() {
                spec.inputs
                    .iter()
                    .for_each(|inputs| show_properties(&mut out, package, " inputs", inputs));
                if !spec.multi_argument_inputs.is_empty() {
                    let _ = writeln!(out, " positional {:?}", spec.multi_argument_inputs);
                }
                match &spec.returns {
                    None => out.push_str(" returns nothing\n"),
                    Some(ReturnSpec::Object(properties)) => {
                        show_properties(&mut out, package, " returns", properties)
                    }
                    Some(ReturnSpec::Type(ty)) => {
                        writeln!(out, " returns {}", show(package, ty)).unwrap()
                    }
                }
                if spec.returns_plain {
                    out.push_str(" returned plain\n");
                }
            }
            match package.type_by_id(member).unwrap() {
                Some(TypeDef::Object(properties)) => {
                    show_properties(&mut out, package, " object", properties)
                }
                Some(TypeDef::Enum(spec)) => {
                    let _ = writeln!(out, " enum of {:?}", spec.element);
                    for value in &spec.values {
                        let _ = writeln!(
                            out,
                            "  {:?} {:?} {:?}",
                            value.value, value.name, value.deprecation_message
                        );
                    }
                }
                None => {}
            }
            for reported in package.diagnostics(member) {
                let severity = reported.diagnostic.severity.as_str();
                let at = package.position(reported.diagnostic.primary.range.start());
                let _ = writeln!(out, " {severity} {}:{} {reported}", at.line, at.column);
            }
        }
    }
    out
}

#[test]
fn everything_that_a_schema_can_say() {
    insta::assert_snapshot!(dump(&package(include_str!("valid_members.json"))));
}

#[test]
fn everything_that_can_be_wrong() {
    insta::assert_snapshot!(dump(&package(include_str!("broken_members.json"))));
}

/// The diagnostics about the first member of a package with these members.
fn diagnostics(members: &str) -> Vec<String> {
    let package = package(&format!(r#"{{"name": "weeds", {members}}}"#));
    let member = Section::ALL.into_iter().flat_map(|section| package.members(section)).next();
    let diagnostics = package.diagnostics(member.expect("there is a member"));
    diagnostics.iter().map(ToString::to_string).collect()
}

#[test]
fn what_no_user_of_a_member_needs_to_know() {
    let of_another_form = r#""types": {"weeds:index:T": {"type": "object", "properties": {
        "a": {"type": "string", "items": {"type": "string"}}}}}"#;
    assert_eq!(diagnostics(of_another_form), [""; 0]);
}

#[test]
fn a_constant_of_a_broken_type_gives_one_diagnostic() {
    let broken = r#""types": {"weeds:index:T": {"type": "object", "properties": {
        "a": {"type": "quaternion", "const": "x"}}}}"#;
    let found = diagnostics(broken);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("`quaternion` is not a type"), "{found:?}");
}

#[test]
fn a_list_of_plain_properties_no_longer_means_anything() {
    let returns = |plain: &str| {
        diagnostics(&format!(
            r#""functions": {{"weeds:index:f": {{"outputs": {{
                "properties": {{"x": {{"type": "string"}}}}, "plain": {plain}}}}}}}"#
        ))
    };
    for plain in ["true", "[]"] {
        assert_eq!(returns(plain), [""; 0], "{plain}");
    }
    let found = returns(r#"["x"]"#);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("the list `plain` is ignored"), "{found:?}");
}

#[test]
fn a_package_without_anything() {
    let bare = package(r#"{"name": "bare", "resources": null, "types": {}}"#);
    assert_eq!(dump(&bare), "provider pulumi:providers:bare\n properties:\n inputs:\n");
    assert_eq!((bare.member_count(), bare.version()), (1, None));
    let extension = package(
        r#"{"name": "ext", "extensionParameterization": {"baseProvider": {"name": "bare", "version": "1.0.0"}}}"#,
    );
    assert_eq!(extension.provider(), Ok(None));
    assert_eq!(extension.extension().unwrap().name, "bare");
}
