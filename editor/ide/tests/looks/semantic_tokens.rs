use pcl::diagnostics::Span;
use pcl_ide::{TokenType, semantic_tokens};

use crate::support::marked;

/// The tokens of a text: each with its type and its modifiers, without `readonly`, which most names
/// are.
fn shown(text: &str) -> String {
    let (analysis, Span { file, range }) = marked(text);
    let range = Some(range).filter(|range| !range.is_empty());
    let tokens = semantic_tokens(&analysis, file, range);
    let text = analysis.checked.sources.text(file);
    let shown = tokens.into_iter().map(|token| {
        let own = &text[token.range.to_usize()];
        let mut shown = format!("{own}:{}", TokenType::NAMES[token.ty as usize]);
        for modifier in token.modifiers.names().filter(|name| *name != "readonly") {
            shown.push('.');
            shown.push_str(modifier);
        }
        shown
    });
    shown.collect::<Vec<String>>().join(" ")
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(shown(text), *expected, "{text}");
    }
}

#[test]
fn declarations() {
    check(&[
        (
            "config n \"int\" {\n  default = 1\n}\n",
            "config:keyword n:parameter.declaration int:type default:property.defaultLibrary \
             =:operator 1:number",
        ),
        (
            "resource \"t\" \"orchard:index:Tree\" {\n  trunk = { name = \"\", \"grownOn\": 3 }\n}\n",
            "resource:keyword t:class.declaration orchard:index:Tree:type trunk:property =:operator \
             name:property =:operator grownOn:property 3:number",
        ),
        (
            "component c \"./x\" {\n options {\n  protect = true\n }\n}\n",
            "component:keyword c:namespace.declaration options:keyword \
             protect:property.defaultLibrary =:operator true:keyword",
        ),
        (
            "hook \"resource\" h {\n command = [args.a]\n}\noutput o {\n}\n",
            "hook:keyword resource:keyword h:event.declaration command:property.defaultLibrary \
             =:operator args:variable.local a:property output:keyword o:variable.declaration",
        ),
        // Nothing is known about such a block.
        ("widget w {\n}\n", ""),
    ]);
}

#[test]
fn references() {
    check(&[
        (
            "config n int {}\nl = n + é\né = l\n",
            "config:keyword n:parameter.declaration int:type l:variable.declaration =:operator \
             n:parameter +:operator é:variable é:variable.declaration =:operator l:variable",
        ),
        (
            "resource t \"orchard:index:Tree\" {\n  options {\n    range = 3\n    \
             ignoreChanges = [trunk]\n    dependsOn = [t]\n  }\n}\na = t[0].trunk.name\n",
            "resource:keyword t:class.declaration orchard:index:Tree:type options:keyword \
             range:property.defaultLibrary =:operator 3:number \
             ignoreChanges:property.defaultLibrary =:operator trunk:property \
             dependsOn:property.defaultLibrary =:operator t:class a:variable.declaration \
             =:operator t:class 0:number trunk:property name:property",
        ),
        (
            "f = invoke(\"x:y:z\", {})\ng = nothing(a[*].b)\n",
            "f:variable.declaration =:operator invoke:function.defaultLibrary \
             g:variable.declaration =:operator nothing:function a:variable *:operator b:property",
        ),
    ]);
}

#[test]
fn expressions() {
    check(&[
        (
            "a = [for k, v in { x = 1 }: \"${k}-\" if v > 0 && true]\n",
            "a:variable.declaration =:operator for:keyword k:variable.declaration.local \
             v:variable.declaration.local in:keyword x:property =:operator 1:number ::operator \
             ${:operator k:variable.local }:operator if:keyword v:variable.local >:operator \
             0:number &&:operator true:keyword",
        ),
        (
            "b = {for x in a : x => x...}\n",
            "b:variable.declaration =:operator for:keyword x:variable.declaration.local in:keyword \
             a:variable ::operator x:variable.local =>:operator x:variable.local ...:operator",
        ),
        (
            "c = <<E\n%{ for y in [] ~}\n${y}\n%{ endfor }%{ if true }a%{ else }b%{ endif }\nE\n",
            "c:variable.declaration =:operator %{:operator for:keyword \
             y:variable.declaration.local in:keyword ~}:operator ${:operator y:variable.local \
             }:operator %{:operator endfor:keyword }:operator %{:operator if:keyword true:keyword \
             }:operator %{:operator else:keyword }:operator %{:operator endif:keyword }:operator",
        ),
        (
            "e = null ? -1 : !true\n",
            "e:variable.declaration =:operator null:keyword ?:operator -:operator 1:number \
             ::operator !:operator true:keyword",
        ),
        (
            "a = [for in\nresource \"x {\n",
            "a:variable.declaration =:operator for:keyword in:keyword resource:keyword",
        ),
    ]);
}

#[test]
fn comments_that_pcl_reads_have_parts() {
    check(&[
        ("/* a */ // b", "/* a */:comment // b:comment"),
        (
            "# pcl: ignore[PCL0601, unused-config] why\n",
            "# :comment pcl: ignore:macro [:comment PCL0601:enumMember , :comment \
             unused-config:enumMember ] why:comment",
        ),
        ("//pcl:off", "//:comment pcl:off:macro"),
        (
            "/* pcl: ignore[PCL0601] */",
            "/* :comment pcl: ignore:macro [:comment PCL0601:enumMember ] */:comment",
        ),
        ("# pcl: ignored", "# pcl: ignored:comment"),
    ]);
}

#[test]
fn deprecated_names_are_marked() {
    check(&[(
        "resource s \"harbor:compute:Server\" {\n  size = \"\"\n}\nm = s.image\nresource o \
         \"harbor:legacy:Mainframe\" {\n}\n",
        "resource:keyword s:class.declaration harbor:compute:Server:type size:property.deprecated \
         =:operator m:variable.declaration =:operator s:class image:property resource:keyword \
         o:class.declaration.deprecated harbor:legacy:Mainframe:type",
    )]);
}

#[test]
fn a_part_has_the_tokens_that_touch_it() {
    check(&[
        ("a = 1\n▮b = [2,▮ 3]\nc = 4\n", "b:variable.declaration =:operator 2:number"),
        ("output o {\n  ▮value▮ = 1\n}\n", "value:property.defaultLibrary"),
    ]);
}
