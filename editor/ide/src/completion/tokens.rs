//! The tokens of resources and functions: the members of every schema that is there. What the
//! program says already tells which of them is meant.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use pcl::binder::{NodeBody, PackageIndex};
use pcl::language::ResourceOption;
use pcl::schema::{InputKind, MemberId, Package, PackageRequest, Section};
use pcl::schema_view::{Hit, is_of_old_module, package_called, search_names, sort_hits};
use pcl::syntax::ast::{self, AstNode as _};

use super::context::{Construct, Context};
use super::evidence::{SAME, likeness, name_in, words};
use super::held::Held;
use super::item::{Completion, CompletionKind, MAX_OFFERED, fits};
use super::usual::{self, frequency};
use crate::element::key_text;
use crate::{Analysis, ModuleId};

/// The package of the engine's own resources, whose schema is always there.
const ENGINE: &str = "pulumi";

/// The package of the functions that Terraform has in its language.
const STANDARD: &str = "std";

/// A member with its position in a search, if it was found by one, and its evidence.
type Ranked = (Option<usize>, u32, (PackageIndex, MemberId));

/// The tokens that can be meant, and the names of packages. Those that what is typed names come
/// first, in the order of a search.
pub(super) fn tokens(analysis: &Analysis, context: &Context, section: Section) -> Vec<Completion> {
    let packages = analysis.checked.program.schemas.packages();
    let mut items = Vec::new();
    let mut names = packages.names();
    names.push(ENGINE.to_owned());
    if let Some((package, _)) = context.prefix.split_once(':') {
        names = vec![package_called(package).to_owned()];
    } else {
        for name in names.iter().filter(|name| *name != ENGINE) {
            let item = Completion::new(format!("{name}:"), CompletionKind::Package);
            items.push(item.detail("package").rank(6));
        }
    }
    let meant = Meant::read(analysis, context, section);
    let typed = [context.prefix.clone()];
    let mut hits = Vec::new();
    let mut found = Vec::new();
    for name in names {
        let Ok(index) = packages.load(&PackageRequest::new(name)) else { continue };
        let package: &Package = packages.package(index);
        let own = if is_name_typed(&context.prefix) {
            search_names(package, section, &typed)
        } else {
            Vec::new()
        };
        meant.members((index, package), &context.prefix, &own, &mut found);
        hits.extend(own);
    }
    sort_hits(&mut hits);
    let hits = hits.iter().map(|hit| hit.token.as_str()).enumerate();
    let closeness: HashMap<&str, usize> = hits.map(|(at, token)| (token, at)).collect();
    let tokens = found.into_iter().map(|(package, member, evidence)| {
        let token = packages.package(package).token(member);
        (closeness.get(token).copied(), evidence, (package, member))
    });
    let mut tokens: Vec<_> = tokens.collect();
    // Only the best become completions: there are tens of thousands.
    let order = |&(closeness, evidence, (package, member)): &Ranked| {
        let token = packages.package(package).token(member);
        (closeness.unwrap_or(usize::MAX), Reverse(evidence), token.len(), token)
    };
    if tokens.len() > MAX_OFFERED {
        tokens.select_nth_unstable_by(MAX_OFFERED, |a, b| order(a).cmp(&order(b)));
        tokens.truncate(MAX_OFFERED + 1);
    }
    let style = Style::read(analysis, context);
    items.extend(tokens.into_iter().map(|(closeness, evidence, (package, member))| {
        let package = packages.package(package);
        let token = package.token(member);
        let short = name_in(token);
        let label = style.write(package, member, section);
        let item = Completion::new(label, CompletionKind::Type).detail(short).rank(3);
        Completion { token: Some(token.to_owned()), closeness, ..item.evidence(evidence) }
    }));
    let is_read =
        matches!(&context.construct, Construct::Label { keyword, .. } if keyword == "read");
    if section == Section::Resources && !is_read {
        items.extend(providers(analysis, &packages.names(), &meant, context));
    }
    items
}

/// The functions of the package `std` that begin with what is typed: in other languages they have
/// these names alone.
pub(super) fn standard_functions(analysis: &Analysis, typed: &str) -> Vec<Completion> {
    /// Fewer characters say too little.
    const FEWEST: usize = 3;
    let packages = analysis.checked.program.schemas.packages();
    let is_there = typed.len() >= FEWEST && packages.names().iter().any(|name| name == STANDARD);
    let index = is_there.then(|| packages.load(&PackageRequest::new(STANDARD)).ok()).flatten();
    let Some(package) = index.map(|index| packages.package(index)) else { return Vec::new() };
    let members = package.members(Section::Functions);
    let tokens = members.map(|member| package.token(member));
    let item = |token: &str| {
        let name = name_in(token);
        name.starts_with(typed).then(|| {
            let start = format!("invoke(\"{STANDARD}:{name}\", {{");
            let item = Completion::new(name, CompletionKind::Function)
                .detail(format!("{start} .. }})"))
                .inserting(start.clone())
                .snippet(format!("{start} $1 }})"))
                .rank(8);
            Completion { token: Some(token.to_owned()), ..item }
        })
    };
    tokens.filter_map(item).collect()
}

/// The tokens of the providers of packages, those that the program uses first.
fn providers(
    analysis: &Analysis,
    packages: &[String],
    meant: &Meant,
    context: &Context,
) -> Vec<Completion> {
    let name = context.header.get(1).map(String::as_str).unwrap_or_default();
    let called_so = 3 * likeness(&["provider".to_owned()], &meant.words);
    let used_so = if is_provider_for(analysis, context, name) { 8 * SAME } else { 0 };
    let item = |package: &String| {
        let own = if meant.words.contains(package) { SAME } else { 0 };
        let used = if meant.packages.contains(package) { SAME / 2 } else { 0 };
        Completion::new(format!("pulumi:providers:{package}"), CompletionKind::Type)
            .detail("provider")
            .rank(3)
            .evidence(called_so + used_so + own + used)
    };
    packages.iter().map(item).collect()
}

/// Returns true if an option of the file takes the resource of this name as a provider.
fn is_provider_for(analysis: &Analysis, context: &Context, name: &str) -> bool {
    let Some(tree) = analysis.tree(context.at.file) else { return false };
    let attributes = tree.root().descendants().filter_map(ast::Attribute::cast);
    let mut options = attributes.filter(|attribute| {
        let option = attribute.name().and_then(|name| ResourceOption::parse(name.text()));
        option.and_then(Held::of).is_some_and(|held| held.is_provider)
    });
    options.any(|option| {
        let value = option.value().map(|value| value.syntax());
        let mut names =
            value.into_iter().flat_map(|value| value.descendants()).filter_map(ast::Name::cast);
        names.any(|other| other.syntax().text() == name)
    })
}

/// The form in which a program writes tokens.
struct Style {
    /// Set if it writes the module `index`.
    with_index: bool,
    /// Set if it writes tokens of two parts.
    without_index: bool,
    /// Set if it writes modules as the schemas have them: `s3/bucket`.
    in_full: bool,
}

impl Style {
    fn read(analysis: &Analysis, context: &Context) -> Self {
        let mut style = Self {
            with_index: context.prefix.contains(":i"),
            without_index: false,
            in_full: context.prefix.contains('/'),
        };
        let trees = analysis.tree(context.at.file);
        let blocks = trees.into_iter().flat_map(|tree| tree.file().body().blocks());
        let declares = |block: &ast::Block<'_>| {
            ["resource", "read"].iter().any(|word| block.has_keyword(word))
        };
        for label in blocks.filter(declares).filter_map(|block| block.labels().nth(1)) {
            let text = label.text();
            match text.split(':').collect::<Vec<_>>()[..] {
                [_, "index", _] => style.with_index = true,
                [_, _] => style.without_index = true,
                [_, module, name] if is_module_of_member(module, name) => style.in_full = true,
                _ => {}
            }
        }
        style
    }

    /// A token in this form: the short one, unless the program has others or another member is
    /// called so.
    fn write(&self, package: &Package, member: MemberId, section: Section) -> String {
        let token = package.token(member);
        let is_fixed = self.in_full || package.name() == ENGINE;
        let canonical = package.canonical(token).filter(|_| !is_fixed);
        let Some(canonical) = canonical else { return token.to_owned() };
        let is_plain = !token.contains('/');
        let separator =
            if self.with_index || is_plain && !self.without_index { ":index:" } else { ":" };
        let short = canonical.replace("::", separator);
        let found = match section {
            Section::Functions => package.function_by_canonical(&canonical),
            _ => package.resource_by_canonical(&canonical),
        };
        let is_only = found.is_some_and(|found| found.member == member && found.hidden.is_empty());
        if is_only { short } else { token.to_owned() }
    }
}

/// Returns true for modules that end with the name of their only member: `s3/bucket` of `Bucket`.
fn is_module_of_member(module: &str, name: &str) -> bool {
    let last = module.rsplit_once('/').map(|(_, last)| last);
    last.is_some_and(|last| last.eq_ignore_ascii_case(name))
}

/// Returns true if what is typed names a member: not behind a colon or slash, and not for a single
/// letter, which most names contain.
fn is_name_typed(typed: &str) -> bool {
    let name = typed.rsplit([':', '/', '.', '_']).next().unwrap_or_default();
    name.chars().nth(1).is_some()
}

/// The facts of the program that tell which member is meant.
struct Meant {
    section: Section,
    /// The words of the name of the resource, or of the variable for the result.
    words: Vec<String>,
    /// The inputs that are there already, each with the kind of its value if the text says it;
    /// `None` if the body or object is not there.
    inputs: Option<HashMap<String, Option<InputKind>>>,
    /// The packages that the program uses.
    packages: HashSet<String>,
    /// The number of its resources of each type.
    used: HashMap<(PackageIndex, MemberId), u32>,
}

impl Meant {
    fn read(analysis: &Analysis, context: &Context, section: Section) -> Self {
        let names = match &context.construct {
            Construct::Label { .. } => context.header.get(1).into_iter().collect(),
            _ => context.around.iter().collect::<Vec<_>>(),
        };
        let words = names.into_iter().flat_map(|name| words(name));
        let words = words.filter(|word| !usual::PLACEHOLDERS.contains(&word.as_str())).collect();
        let module = analysis.module_of(context.at.file).unwrap_or(ModuleId::Program);
        let mut used = HashMap::new();
        for (_, node) in analysis.module(module).nodes_with_ids() {
            if let NodeBody::Resource(body) = &node.body
                && let Some(schema) = body.schema
            {
                *used.entry(schema).or_default() += 1;
            }
        }
        let packages = analysis.module(module).packages.iter();
        let packages = packages.map(|package| package.name.to_string()).collect();
        Self { section, words, inputs: inputs_around(analysis, context), packages, used }
    }

    /// Adds the members of a package that what is typed occurs in, and those that a search found,
    /// each with its evidence.
    fn members(
        &self,
        (index, package): (PackageIndex, &Package),
        typed: &str,
        hits: &[Hit],
        found: &mut Vec<(PackageIndex, MemberId, u32)>,
    ) {
        let mut matches: HashMap<MemberId, (u32, u32)> = HashMap::new();
        for (name, value) in self.inputs.iter().flatten() {
            for input in package.members_with_input(self.section, name) {
                let (all, required) = matches.entry(input.member).or_default();
                *all += value.map_or(SAME, |value| kind_likeness(input.kind, value));
                *required += u32::from(input.is_required);
            }
        }
        let is_used = self.packages.contains(package.name());
        let package_evidence = match package.name() {
            _ if is_used => 160,
            ENGINE => 0,
            _ => 100,
        };
        let hits: HashSet<&str> = hits.iter().map(|hit| hit.token.as_str()).collect();
        for member in package.members(self.section) {
            let token = package.token(member);
            if !fits(typed, token) && !hits.contains(token) {
                continue;
            }
            let mut evidence = package_evidence;
            if let Some(count) = self.used.get(&(index, member)) {
                evidence += 20 + (*count).min(10);
            }
            let (all, required) = matches.get(&member).copied().unwrap_or_default();
            if let Some(inputs) = &self.inputs {
                let share = (4 * all).checked_div(inputs.len() as u32);
                evidence += share.unwrap_or_default();
                // The table of a package that nothing points to is not worth a walk over it.
                if is_used || !inputs.is_empty() {
                    let needed = package.required_input_count(self.section, member);
                    evidence = evidence.saturating_sub(25 * needed.saturating_sub(required).min(6));
                }
            }
            if self.section == Section::Functions {
                let name = name_in(token);
                evidence += frequency(&usual::FUNCTIONS, name);
            }
            evidence += 2 * self.name_likeness(token);
            if is_of_old_module(token) {
                evidence = evidence.saturating_sub(40);
            }
            found.push((index, member, evidence));
        }
    }

    /// The likeness of the last part of a token to the name.
    fn name_likeness(&self, token: &str) -> u32 {
        if self.words.is_empty() {
            return 0;
        }
        let name = name_in(token);
        likeness(&words(name), &self.words)
    }
}

/// The evidence that an input of a kind has a value of another one: a string may be written for any
/// other, and a string may be meant by a number or boolean.
const fn kind_likeness(input: InputKind, value: InputKind) -> u32 {
    use InputKind::{Boolean, List, Map, Number, Other, String};
    match (input, value) {
        (Boolean, Boolean) | (Number, Number) | (String, String) | (List, List) | (Map, Map) => {
            SAME
        }
        (Other, _) => SAME * 9 / 10,
        (String, Boolean | Number) | (Boolean | Number, String) => SAME / 2,
        _ => 0,
    }
}

/// The inputs of the block or call around a token, each with the kind of its value if the text says
/// it; `None` if there is no body and no object.
fn inputs_around(
    analysis: &Analysis,
    context: &Context,
) -> Option<HashMap<String, Option<InputKind>>> {
    let tree = analysis.tree(context.at.file)?;
    let mut around = tree.token_at(context.at.offset).parent().ancestors();
    match context.construct {
        Construct::Label { .. } => {
            let attributes = around.find_map(ast::Block::cast)?.body()?.attributes();
            let inputs = attributes.filter_map(|attribute| {
                Some((attribute.name()?.text().to_owned(), attribute.value().and_then(kind_of)))
            });
            Some(inputs.filter(|(name, _)| !name.starts_with("__")).collect())
        }
        _ => {
            let object = around.find_map(ast::Call::cast)?.arguments().find_map(|it| match it {
                ast::Expr::Object(object) => Some(object),
                _ => None,
            });
            let items = object?.items();
            Some(
                items
                    .filter_map(|it| Some((key_text(it)?, it.value().and_then(kind_of))))
                    .collect(),
            )
        }
    }
}

/// The kind of a value that is written out.
fn kind_of(value: ast::Expr<'_>) -> Option<InputKind> {
    Some(match value {
        ast::Expr::Literal(literal) => match literal.kind() {
            ast::LiteralKind::Bool(_) => InputKind::Boolean,
            ast::LiteralKind::Number(_) => InputKind::Number,
            ast::LiteralKind::Null => return None,
        },
        ast::Expr::Template(_) | ast::Expr::Heredoc(_) => InputKind::String,
        ast::Expr::Tuple(_) => InputKind::List,
        ast::Expr::Object(_) => InputKind::Map,
        _ => return None,
    })
}
