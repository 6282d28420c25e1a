//! The values that functions take in a language without eventual ones.

use pcl_language::Function;

/// The part of an argument that has to be known before a function is called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// A known collection, whose parts may be eventual.
    Top,
    /// A value that is known with all its parts.
    Known,
}

/// The need of the function of that name; `None` where its signature says what it takes.
pub(crate) fn takes(name: &str) -> Option<Takes> {
    use Function as F;
    match Function::parse(name)? {
        F::Element | F::Entries | F::Length | F::Lookup | F::SingleOrNone => Some(Takes::Top),
        F::FromBase64 | F::Join | F::Max | F::Min | F::Range | F::Sha1 | F::Split | F::ToBase64 => {
            Some(Takes::Known)
        }
        F::AssetArchive
        | F::Call
        | F::Can
        | F::Cwd
        | F::FileArchive
        | F::FileAsset
        | F::Filebase64
        | F::Filebase64sha256
        | F::GetOutput
        | F::Invoke
        | F::NotImplemented
        | F::Organization
        | F::Project
        | F::PulumiResourceName
        | F::PulumiResourceType
        | F::ReadFile
        | F::Recover
        | F::RemoteArchive
        | F::RemoteAsset
        | F::ResourceExists
        | F::RootDirectory
        | F::Secret
        | F::Stack
        | F::StringAsset
        | F::ToJson
        | F::Try
        | F::Unsecret => None,
    }
}
