//! Functions of other languages, and their counterparts here. A function of Terraform without one
//! is found in Pulumi's package `std`, which its converters use too.

/// The function that another language has under another name.
pub(crate) fn renamed(name: &str) -> Option<&'static str> {
    let counterpart = RENAMED.iter().find(|(other, _)| *other == name);
    counterpart.map(|(_, own)| *own)
}

/// The advice about a function that only other languages have.
pub(crate) fn counterpart(name: &str) -> Option<&'static str> {
    let counterpart = COUNTERPARTS.iter().find(|(other, _)| *other == name);
    counterpart.map(|(_, help)| *help)
}

/// A call of the function of `std` with these arguments, `None` when there is no such function.
pub(crate) fn in_std(name: &str, arguments: &[&str]) -> Option<String> {
    if !STD.contains(&name) {
        return None;
    }
    let parameters = PARAMETERS.iter().find(|(other, _)| *other == name);
    let parameters = parameters.map_or(&["input"][..], |(_, parameters)| parameters);
    let inputs = match (parameters, arguments) {
        (_, []) if matches!(name, "timestamp" | "uuid") => String::new(),
        ([list], _) if LISTS.contains(&name) => format!(" {list} = [{}] ", arguments.join(", ")),
        _ if arguments.len() != parameters.len() => " .. ".to_owned(),
        _ => {
            let inputs = parameters.iter().zip(arguments);
            let inputs = inputs.map(|(name, value)| format!("{name} = {value}"));
            format!(" {} ", inputs.collect::<Vec<_>>().join(", "))
        }
    };
    Some(format!("invoke(\"std:index:{name}\", {{{inputs}}}).result"))
}

/// The template that `format(text, ..)` means; `None` when it has other verbs than those of plain
/// values, or values that cannot stand in a template as they are written.
pub(crate) fn template(text: &str, values: &[&str]) -> Option<String> {
    let mut template = String::from("\"");
    let mut values = values.iter();
    let mut rest = text;
    while let Some((before, verb)) = rest.split_once('%') {
        template.push_str(before);
        let mut letters = verb.chars();
        match letters.next()? {
            '%' => template.push('%'),
            's' | 'd' | 'v' => template.push_str(&format!("${{{}}}", values.next()?)),
            _ => return None,
        }
        rest = letters.as_str();
    }
    template.push_str(rest);
    template.push('"');
    values.next().is_none().then_some(template)
}

/// Functions that are the same here under another name.
const RENAMED: &[(&str, &str)] = &[
    ("base64_encode", "toBase64"),
    ("base64decode", "fromBase64"),
    ("base64encode", "toBase64"),
    ("file", "readFile"),
    ("json_encode", "toJSON"),
    ("jsonencode", "toJSON"),
    ("len", "length"),
    ("nonsensitive", "unsecret"),
    ("sensitive", "secret"),
];

/// Functions with a counterpart that is not a function, and the advice about each.
const COUNTERPARTS: &[(&str, &str)] = &[
    ("env", "PCL cannot read environment variables: declare a `config` instead"),
    ("format", "join strings in a template, as in `\"${a}${b}\"`"),
    ("getenv", "PCL cannot read environment variables: declare a `config` instead"),
    ("if", "write `condition ? value : other`"),
    ("parseFloat", "a string becomes a number where a number is expected"),
    ("parseInt", "a string becomes a number where a number is expected"),
    ("print", "declare an `output` to show a value"),
    ("printf", "join strings in a template, as in `\"${a}${b}\"`"),
    ("require", "declare a configuration variable: `config \"name\" \"string\" {}`"),
    ("sprintf", "join strings in a template, as in `\"${a}${b}\"`"),
    ("str", "a value in a template becomes a string: `\"${value}\"`"),
    ("templatefile", "write the text as a heredoc of the program, with `${..}` for the values"),
    ("var", "refer to a config or local by its name alone"),
];

/// The functions of `std` that take all of their values as one list.
const LISTS: &[&str] = &["coalesce", "coalescelist", "concat", "merge", "setintersection"];

/// The inputs of the functions of `std` in the order of Terraform's parameters; of others it is
/// `input` alone.
const PARAMETERS: &[(&str, &[&str])] = &[
    ("bcrypt", &["input", "cost"]),
    ("chunklist", &["input", "size"]),
    ("cidrhost", &["input", "host"]),
    ("cidrsubnet", &["input", "newbits", "netnum"]),
    ("contains", &["input", "element"]),
    ("endswith", &["input", "suffix"]),
    ("indent", &["spaces", "input"]),
    ("index", &["input", "element"]),
    ("log", &["input", "base"]),
    ("parseint", &["input", "base"]),
    ("pow", &["base", "exponent"]),
    ("regex", &["pattern", "string"]),
    ("regexall", &["pattern", "string"]),
    ("replace", &["text", "search", "replace"]),
    ("rsadecrypt", &["cipherText", "key"]),
    ("slice", &["list", "from", "to"]),
    ("startswith", &["input", "prefix"]),
    ("substr", &["input", "offset", "length"]),
    ("timeadd", &["timestamp", "duration"]),
    ("timecmp", &["timestampa", "timestampb"]),
    ("trim", &["input", "cutset"]),
    ("trimprefix", &["input", "prefix"]),
    ("trimsuffix", &["input", "suffix"]),
    ("zipmap", &["keys", "values"]),
];

/// The functions of `std` that are not built in.
const STD: &[&str] = &[
    "abs",
    "abspath",
    "alltrue",
    "anytrue",
    "base64gzip",
    "base64sha256",
    "base64sha512",
    "basename",
    "bcrypt",
    "ceil",
    "chomp",
    "chunklist",
    "cidrhost",
    "cidrnetmask",
    "cidrsubnet",
    "cidrsubnets",
    "coalesce",
    "coalescelist",
    "compact",
    "concat",
    "contains",
    "csvdecode",
    "dirname",
    "distinct",
    "endswith",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "filesha1",
    "filesha256",
    "filesha512",
    "flatten",
    "floor",
    "formatlist",
    "indent",
    "index",
    "jsondecode",
    "keys",
    "log",
    "lower",
    "map",
    "matchkeys",
    "md5",
    "merge",
    "parseint",
    "pathexpand",
    "pow",
    "regex",
    "regexall",
    "replace",
    "reverse",
    "rsadecrypt",
    "setintersection",
    "sha256",
    "sha512",
    "signum",
    "slice",
    "sort",
    "startswith",
    "strrev",
    "substr",
    "sum",
    "timeadd",
    "timecmp",
    "timestamp",
    "title",
    "tobool",
    "tolist",
    "tonumber",
    "toset",
    "tostring",
    "transpose",
    "trim",
    "trimprefix",
    "trimspace",
    "trimsuffix",
    "upper",
    "urlencode",
    "uuid",
    "values",
    "zipmap",
];

#[cfg(test)]
mod tests {
    use pcl_language::Function;

    use super::*;

    #[test]
    fn no_function_of_another_language_is_built_in() {
        let known: Vec<&str> = Function::ALL.iter().map(|it| it.name()).collect();
        assert!(known.contains(&"split"));
        let renamed = RENAMED.iter().map(|(name, _)| name);
        let others = COUNTERPARTS.iter().map(|(name, _)| name).chain(renamed);
        let others = others.chain(STD);
        assert!(RENAMED.iter().all(|(_, own)| known.contains(own)));
        for name in others {
            assert!(!known.contains(name), "{name}");
        }
        assert!(STD.is_sorted() && RENAMED.is_sorted() && COUNTERPARTS.is_sorted());
        assert!(PARAMETERS.is_sorted() && LISTS.iter().all(|name| STD.contains(name)));
        assert!(PARAMETERS.iter().all(|(name, _)| STD.contains(name)));
    }

    #[test]
    fn calls_of_std_have_the_inputs_of_its_schema() {
        let call = |name, arguments: &[&str]| in_std(name, arguments).unwrap();
        assert_eq!(
            call("cidrsubnet", &["a", "8", "1"]),
            "invoke(\"std:index:cidrsubnet\", { input = a, newbits = 8, netnum = 1 }).result"
        );
        assert_eq!(
            call("merge", &["a", "b"]),
            "invoke(\"std:index:merge\", { input = [a, b] }).result"
        );
        assert_eq!(call("uuid", &[]), "invoke(\"std:index:uuid\", {}).result");
        assert_eq!(in_std("nothing", &["a"]), None);
    }

    #[test]
    fn formats_of_plain_values_are_templates() {
        assert_eq!(template("a-%s-%d%%", &["x", "y"]).unwrap(), "\"a-${x}-${y}%\"");
        for (text, values) in [("%s", &[] as &[&str]), ("%05d", &["x"]), ("a", &["x"]), ("%", &[])]
        {
            assert_eq!(template(text, values), None, "{text}");
        }
    }
}
