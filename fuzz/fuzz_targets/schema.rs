//! Any bytes are a schema or an error with a place. Diagnostics about them are the same every time
//! and have a place and a message; reading one member never changes another.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pcl::check_schema_text;
use pcl::render::Format;
use pcl_schema::{MemberId, Package, Section, Syntax, validate};

const SECTIONS: [Section; 4] =
    [Section::Types, Section::Resources, Section::Functions, Section::Provider];

fuzz_target!(|bytes: &[u8]| {
    for syntax in [Syntax::Json, Syntax::Yaml] {
        let diagnostics = validate(bytes, syntax);
        for diagnostic in &diagnostics {
            let labels = diagnostic.labels.iter().map(|label| label.span);
            for span in labels.chain([diagnostic.primary]) {
                assert!(span.range.end() as usize <= bytes.len());
            }
            assert!(!diagnostic.message.is_empty());
        }
        assert_eq!(
            diagnostics,
            validate(bytes, syntax),
            "the same text gives the same diagnostics"
        );
        let checked = check_schema_text("schema", bytes, syntax, None);
        assert_eq!(checked.diagnostics.len(), diagnostics.len(), "every diagnostic is reported");
        for diagnostic in &checked.diagnostics {
            let text = checked.sources.text(diagnostic.primary.file);
            assert!(diagnostic.primary.range.end() as usize <= text.len());
        }
        for format in Format::ALL {
            let _ = format.render(&checked, false);
        }
    }
    let (Ok(forwards), Ok(backwards)) = (Package::from_bytes(bytes), Package::from_bytes(bytes))
    else { return };
    let members: Vec<MemberId> =
        SECTIONS.map(|section| forwards.members(section)).into_iter().flatten().collect();
    let read: Vec<String> = members.iter().map(|&member| shown(&forwards, member)).collect();
    for (&member, read) in members.iter().zip(&read).rev() {
        assert_eq!(&shown(&backwards, member), read, "the order of reading does not matter");
    }
});

/// Everything that can be asked about a member.
fn shown(package: &Package, member: MemberId) -> String {
    let specs = (
        package.resource_by_id(member),
        package.function_by_id(member),
        package.type_by_id(member),
    );
    let reach = package.reach(member);
    format!("{specs:?} {reach:?} {:?}", package.diagnostics(member))
}
