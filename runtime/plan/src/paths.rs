//! Paths to properties: the values that `ignoreChanges` resets, and the changes that
//! `replaceOnChanges` covers.

use pcl_values::{Key, PropertyMap, PropertyPath, PropertyValue};

/// Returns true if a path is the beginning of another one, or the whole of it.
pub(crate) fn contains(path: &PropertyPath, other: &PropertyPath) -> bool {
    let (own, others) = (path.keys(), other.keys());
    let is_match = |(own, other): (&Key, &Key)| match own {
        Key::Name(name) if name == "*" => true,
        own => own == other,
    };
    own.len() <= others.len() && own.iter().zip(others).all(is_match)
}

/// The paths of texts; those that are none are left out.
pub(crate) fn parsed(paths: &[String]) -> Vec<PropertyPath> {
    paths.iter().filter_map(|path| path.parse().ok()).collect()
}

/// The inputs, without dependencies, with the values of the state at these paths. The paths that
/// change the size of a list or have no place are left out.
pub(crate) fn reset(inputs: &PropertyMap, old: &PropertyMap, paths: &[String]) -> PropertyMap {
    let mut inputs = PropertyValue::Object(inputs.clone());
    let old = PropertyValue::Object(old.clone());
    for path in paths {
        if let Ok(path) = path.parse::<PropertyPath>() {
            reset_at(path.keys(), &old, &mut inputs, false);
        }
    }
    match inputs {
        PropertyValue::Object(inputs) => inputs,
        _ => PropertyMap::new(),
    }
}

/// The value of the state, as a secret where its surroundings in the state were.
fn kept(old: &PropertyValue, is_secret: bool) -> PropertyValue {
    if is_secret { old.clone().secret() } else { old.clone() }
}

/// Resets the values at a path. `is_secret` is set if only the old value is inside a secret.
fn reset_at(keys: &[Key], old: &PropertyValue, new: &mut PropertyValue, is_secret: bool) {
    let (old, was_secret) = match old {
        PropertyValue::Secret(inner) => (&**inner, true),
        old => (old, false),
    };
    if let PropertyValue::Secret(inner) = new {
        return reset_at(keys, old, inner, false);
    }
    let is_secret = is_secret || was_secret;
    let Some((key, rest)) = keys.split_first() else { return };
    match (key, old, new) {
        (Key::Index(at), PropertyValue::Array(olds), PropertyValue::Array(news)) => {
            let Ok(at) = usize::try_from(*at) else { return };
            if let (Some(old), Some(new)) = (olds.get(at), news.get_mut(at)) {
                step(rest, old, new, is_secret);
            }
        }
        (Key::Name(name), PropertyValue::Array(olds), PropertyValue::Array(news))
            if name == "*" =>
        {
            for (old, new) in olds.iter().zip(news) {
                step(rest, old, new, is_secret);
            }
        }
        (Key::Name(name), PropertyValue::Object(olds), PropertyValue::Object(news))
            if name == "*" =>
        {
            if rest.is_empty() {
                *news =
                    olds.iter().map(|(name, old)| (name.clone(), kept(old, is_secret))).collect();
                return;
            }
            for (name, old) in olds {
                if let Some(new) = news.get_mut(name) {
                    step(rest, old, new, is_secret);
                }
            }
        }
        (Key::Name(name), old, PropertyValue::Object(news)) => {
            let olds = old.as_object();
            let old = olds.and_then(|olds| olds.get(&**name));
            match (old, news.get_mut(&**name)) {
                (Some(old), Some(new)) => step(rest, old, new, is_secret),
                (Some(old), None) if rest.is_empty() => {
                    news.insert(name.as_str().into(), kept(old, is_secret));
                }
                (None, Some(_)) if rest.is_empty() => {
                    news.remove(&**name);
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// Resets a value, or what is at the rest of the path in it.
fn step(rest: &[Key], old: &PropertyValue, new: &mut PropertyValue, is_secret: bool) {
    if rest.is_empty() {
        *new = kept(old, is_secret);
    } else {
        reset_at(rest, old, new, is_secret);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(fields: &[(&str, PropertyValue)]) -> PropertyMap {
        fields.iter().map(|(name, value)| ((*name).into(), value.clone())).collect()
    }

    #[test]
    fn values_are_reset() {
        let old = object(&[
            ("a", 1.0.into()),
            ("list", vec![1.0.into(), 2.0.into()].into()),
            ("tags", object(&[("env", "dev".into())]).into()),
        ]);
        let new = object(&[
            ("b", 5.0.into()),
            ("list", vec![9.0.into(), 9.0.into(), 9.0.into()].into()),
            ("tags", object(&[("env", "prod".into()), ("x", "y".into())]).into()),
        ]);
        for (path, text) in [
            ("a", r#"{"a":1,"b":5,"list":[9,9,9],"tags":{"env":"prod","x":"y"}}"#),
            ("b", r#"{"list":[9,9,9],"tags":{"env":"prod","x":"y"}}"#),
            ("tags.env", r#"{"b":5,"list":[9,9,9],"tags":{"env":"dev","x":"y"}}"#),
            ("tags.*", r#"{"b":5,"list":[9,9,9],"tags":{"env":"dev"}}"#),
            ("tags.x", r#"{"b":5,"list":[9,9,9],"tags":{"env":"prod"}}"#),
            ("list[1]", r#"{"b":5,"list":[9,2,9],"tags":{"env":"prod","x":"y"}}"#),
            ("list[2]", r#"{"b":5,"list":[9,9,9],"tags":{"env":"prod","x":"y"}}"#),
            ("*", r#"{"a":1,"list":[1,2],"tags":{"env":"dev"}}"#),
        ] {
            let reset = PropertyValue::from(reset(&new, &old, &[path.to_owned()]));
            assert_eq!(reset.to_string(), text, "{path}");
        }
    }

    #[test]
    fn paths_cover_what_is_below_them() {
        for (path, other, is_covered) in [
            ("a", "a.b[0]", true),
            ("a.*", "a.b", true),
            ("a[*].b", "a[3].b.c", true),
            ("a.b", "a", false),
            ("a", "b", false),
        ] {
            let [path, other] = [path, other].map(|text| text.parse().unwrap());
            assert_eq!(contains(&path, &other), is_covered);
        }
    }
}
