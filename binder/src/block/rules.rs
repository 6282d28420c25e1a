//! The table of blocks, which is that of the language.

pub use pcl_language::{
    AttributeRule, BLOCKS, BlockRule, CONFIG, HOOK, HOOK_KINDS, OPTIONS, OUTPUT, Others, PACKAGE,
    PARAMETERIZATION, PULUMI, Takes, rule, rule_of,
};
