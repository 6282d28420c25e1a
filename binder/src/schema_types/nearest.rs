//! The best of several members that have the name of a token.

use pcl_diagnostics::suggest;
use pcl_schema::{MemberId, Package, Standing, Token};

/// The module of a token: a path and, in some packages, a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Module<'t> {
    path: &'t str,
    version: Option<&'t str>,
}

impl<'t> Module<'t> {
    pub(super) fn of(token: Token<'t>) -> Self {
        let (before, last) = token.module.rsplit_once('/').unwrap_or(("", token.module));
        if is_version(last) {
            Self { path: before, version: Some(last) }
        } else {
            Self { path: token.module, version: None }
        }
    }

    /// The first word of the path: `networking` of `networking.k8s.io`.
    pub(super) fn group(self) -> &'t str {
        self.path.split(['/', '.']).next().unwrap_or_default()
    }

    /// The distance of a member's module from this one, which is written.
    fn distance(self, other: Self) -> usize {
        let (own, others) = (self.group(), other.group());
        if self.path.eq_ignore_ascii_case(other.path) {
            0
        } else if own.eq_ignore_ascii_case(others) {
            1
        } else if suggest(own, [others]).is_some() {
            2
        } else {
            3
        }
    }

    /// Returns true for a version that may still change.
    pub(super) fn is_preview(self) -> bool {
        let version = self.version.unwrap_or_default();
        ["alpha", "beta", "preview"].iter().any(|part| version.contains(part))
    }

    fn number(self) -> u64 {
        let version = self.version.unwrap_or("v").get(1..).unwrap_or_default();
        let digits = version.find(|c: char| !c.is_ascii_digit());
        let digits = version.get(..digits.unwrap_or(version.len()));
        digits.unwrap_or_default().parse().unwrap_or(0)
    }
}

fn is_version(part: &str) -> bool {
    let number = part.strip_prefix('v').unwrap_or_default();
    number.starts_with(|c: char| c.is_ascii_digit())
}

/// The facts about a member that do not take a look into the document, the best first: those
/// about its module alone, and those that a look comes before.
type Rank = ((usize, bool), (bool, bool, u64, usize));

/// The member of `members` that the token `written` is most likely meant to be: in the same module,
/// of the same version, one that had this token before, one that is neither deprecated nor
/// superseded, and then the one that is not a preview, has no version or the nearest one.
pub(super) fn nearest(
    package: &Package,
    members: &[MemberId],
    written: Token<'_>,
) -> Option<String> {
    /// Up to so many members are read in the document.
    const MOST: usize = 32;
    let own = Module::of(written);
    let ranked = |&member: &MemberId| {
        let token = package.canonical(package.token(member))?;
        let module = Module::of(Token::parse(&token)?);
        let rank: Rank = (
            (own.distance(module), own.version != module.version),
            (
                module.is_preview(),
                module.version.is_some(),
                own.number().abs_diff(module.number()),
                token.len(),
            ),
        );
        Some((rank, token, member))
    };
    let mut ranked: Vec<(Rank, String, MemberId)> = members.iter().filter_map(ranked).collect();
    ranked.sort();
    let ((best, _), ..) = ranked.first()?;
    let equals = ranked.iter().take_while(|((module, _), ..)| module == best);
    let equals: Vec<_> = equals.take(MOST).collect();
    if let [(_, only, _)] = equals[..] {
        return Some(only.clone());
    }
    let standings: Vec<Standing> =
        (equals.iter()).map(|(_, _, member)| package.standing(*member)).collect();
    let was = |standing: &Standing, token: &str| {
        let mut aliases = standing.aliases.iter();
        aliases.any(|alias| package.canonical(alias).as_deref() == Some(token))
    };
    let written = format!("{}:{}:{}", written.package, written.module, written.name);
    let written = package.canonical(&written).unwrap_or(written);
    let outdated = |at: usize, token: &str, standing: &Standing| {
        // Versions that were each other's are equals.
        let mut others = standings.iter().zip(&equals).enumerate();
        standing.is_deprecated
            || others.any(|(other, (others, (_, newer, _)))| {
                other != at && was(others, token) && !was(standing, newer)
            })
    };
    let choices = equals.iter().zip(&standings).enumerate();
    let best = choices.min_by_key(|(at, ((rank, token, _), standing))| {
        let had_it = was(standing, &written);
        (!had_it, outdated(*at, token, standing), *rank, token)
    });
    best.map(|(_, ((_, token, _), _))| token.clone())
}
