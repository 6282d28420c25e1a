//! Every kind of diagnostic, in one table.
//!
//! Bands: 00 sources and encoding, 01 syntax, 02 names and blocks, 03 types, 04 resources and
//! schemas (from 0450 on, what `pcl schema check` gives), 05 components and packages, 06 functions
//! and invokes, 07 what works and is hardly meant, 08 releases of Pulumi, 09 bugs of `pcl` itself,
//! 10 programs that run, 11 states of stacks, 12 programs that are converted to other languages,
//! 13 plans of deployments. A code, once published, keeps its number and its meaning.
//!
//! Each code has a page, `pages/PCL0301.md`, with the form that `pages/README.md` says. The crate
//! does not compile without it.

use crate::group::Group;

/// The word `on` or `off` of a row, as a bool and as the end of the summary.
macro_rules! default {
    (runs on) => {
        true
    };
    (runs off) => {
        false
    };
    (text on) => {
        ""
    };
    (text off) => {
        " Off by default."
    };
}

macro_rules! catalogue {
    ($(
        $(#[doc = $summary:literal])+
        $number:ident $variant:ident $name:literal $($group:ident $default:ident)?;
    )*) => {
        /// A kind of diagnostic. Its number (`PCL0301`) and its name (`type-not-assignable`) are
        /// stable.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[non_exhaustive]
        pub enum Code { $($(#[doc = $summary])+ $variant,)* }

        impl Code {
            /// Every code, by number.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The number, such as `PCL0301`.
            pub const fn id(self) -> &'static str {
                match self { $(Code::$variant => stringify!($number),)* }
            }

            /// The name, such as `type-not-assignable`.
            pub const fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// The meaning of the code, in one line.
            pub const fn summary(self) -> &'static str {
                match self { $(
                    Code::$variant => {
                        concat!($($summary,)+ $(default!(text $default))?).trim_ascii()
                    }
                )* }
            }

            /// The group of a lint, and whether the lint runs by default; `None` for other codes.
            pub(crate) const fn lint(self) -> Option<(Group, bool)> {
                match self {
                    $($(Code::$variant => Some((Group::$group, default!(runs $default))),)?)*
                    _ => None,
                }
            }

            /// The meaning of the code and the reason for it, with an example and its correction,
            /// in Markdown.
            pub const fn page(self) -> &'static str {
                match self { $(
                    Code::$variant => include_str!(
                        concat!("../pages/", stringify!($number), ".md") // write this page; `pages/README.md` says how
                    ),
                )* }
            }
        }
    };
}

// A row is the summary, the number, the variant and the name; that of a lint also says the group,
// and whether the lint runs by default.
catalogue! {
    // 00: sources and encoding
    /// A path does not exist or cannot be read.
    PCL0001 UnreadableSource "unreadable-source";
    /// A directory contains no `.pp` file.
    PCL0002 NoProgramFiles "no-program-files";
    /// A file is too large.
    PCL0003 FileTooLarge "file-too-large";
    /// A character is not valid.
    PCL0004 LexInvalidChar "lex-invalid-char";
    /// Bytes are not UTF-8.
    PCL0005 LexBadUtf8 "lex-bad-utf8";
    /// PCL has no bitwise operators.
    PCL0006 LexBitwiseOp "lex-bitwise-op";
    /// Backticks do not quote.
    PCL0007 LexBacktick "lex-backtick";
    /// Single quotes do not quote.
    PCL0008 LexSingleQuote "lex-single-quote";
    /// PCL has no semicolons.
    PCL0009 LexSemicolon "lex-semicolon";
    /// A line ends inside a quoted string.
    PCL0010 LexNewlineInQuoted "lex-newline-in-quoted";
    /// Typographic quotes do not quote.
    PCL0011 LexCurlyQuote "lex-curly-quote";
    /// A block comment is not closed.
    PCL0012 LexUnterminatedComment "lex-unterminated-comment";
    /// A heredoc ends the file without a newline.
    PCL0013 HeredocNoFinalNewline "heredoc-no-final-newline";
    /// A number is malformed.
    PCL0014 NumInvalid "num-invalid";
    /// A `\u` escape has fewer than four digits.
    PCL0015 EscShortU "esc-short-u";
    /// A `\U` escape has fewer than eight digits.
    PCL0016 EscLongU "esc-long-u";
    /// An escape does not name a character.
    PCL0017 EscNotEncodable "esc-not-encodable";
    /// An escape sequence does not exist.
    PCL0018 EscUnknown "esc-unknown";
    /// A file is in another language.
    PCL0019 ForeignFile "foreign-file";
    /// A file is UTF-16.
    PCL0020 ForeignEncoding "foreign-encoding";
    /// A configuration file, or a setting in it, is not valid.
    PCL0021 InvalidConfiguration "invalid-configuration";
    /// A setting does not exist.
    PCL0022 UnknownSetting "unknown-setting";
    /// The layout of a file is not the canonical one.
    PCL0023 UnformattedFile "unformatted-file";

    // 01: syntax
    /// An attribute is set twice in one body.
    PCL0101 BodyAttrRedefined "body-attr-redefined";
    /// The name of an attribute is in quotes.
    PCL0102 BodyQuotedArgName "body-quoted-arg-name";
    /// An attribute or a block is expected.
    PCL0103 BodyItemRequired "body-item-required";
    /// A name is neither an attribute nor a block.
    PCL0104 BodyItemIncomplete "body-item-incomplete";
    /// A block on one line contains another block.
    PCL0105 BodyOnelineNested "body-oneline-nested";
    /// A block is not closed.
    PCL0106 BodyUnclosedBlock "body-unclosed-block";
    /// Brackets, templates or blocks are nested too deeply.
    PCL0107 NestingTooDeep "nesting-too-deep";
    /// An attribute is not the end of its line.
    PCL0108 AttrMissingNewline "attr-missing-newline";
    /// A comma follows an attribute.
    PCL0109 AttrComma "attr-comma";
    /// The header of a block contains an equals sign.
    PCL0110 BlockEquals "block-equals";
    /// A line ends in the header of a block.
    PCL0111 BlockNewline "block-newline";
    /// The header of a block contains something that is not a label.
    PCL0112 BlockHeader "block-header";
    /// A block on one line contains a comma.
    PCL0113 BlockOnelineComma "block-oneline-comma";
    /// A block that begins with an attribute on its first line continues.
    PCL0114 BlockOnelineNewline "block-oneline-newline";
    /// A block on one line contains more than one attribute.
    PCL0115 BlockOnelineExtra "block-oneline-extra";
    /// A block is not the end of its line.
    PCL0116 BlockMissingNewline "block-missing-newline";
    /// A label contains an interpolation or a directive.
    PCL0117 LabelTemplate "label-template";
    /// A label has no closing quote.
    PCL0119 LabelUnterminated "label-unterminated";
    /// The file ends where an expression is expected.
    PCL0120 ExprMissing "expr-missing";
    /// An expression is expected.
    PCL0121 ExprInvalid "expr-invalid";
    /// A complete expression is followed by something else.
    PCL0122 ExprTrailing "expr-trailing";
    /// A conditional has no `:`.
    PCL0123 CondMissingColon "cond-missing-colon";
    /// A parenthesis is not closed.
    PCL0124 ParenUnbalanced "paren-unbalanced";
    /// No name follows a dot.
    PCL0125 AttrNameRequired "attr-name-required";
    /// A splat with `.*` follows another.
    PCL0126 SplatNested "splat-nested";
    /// An index with a dot follows another.
    PCL0127 LegacyIndexChained "legacy-index-chained";
    /// The bracket of a splat is not closed.
    PCL0128 SplatMissingBracket "splat-missing-bracket";
    /// The bracket of an index is not closed.
    PCL0129 IndexMissingBracket "index-missing-bracket";
    /// No name follows `::`.
    PCL0130 FnMissingName "fn-missing-name";
    /// A name with `::` is not called.
    PCL0131 FnMissingParen "fn-missing-paren";
    /// Two arguments have no comma between them.
    PCL0132 CallMissingComma "call-missing-comma";
    /// The parenthesis of a call is not closed.
    PCL0133 CallUnterminated "call-unterminated";
    /// `...` is not at the end of a call.
    PCL0134 CallExpandNotLast "call-expand-not-last";
    /// Two elements have no comma between them.
    PCL0135 TupleMissingComma "tuple-missing-comma";
    /// The bracket of a list is not closed.
    PCL0136 TupleUnterminated "tuple-unterminated";
    /// A key of an object has no value.
    PCL0137 ObjMissingValue "obj-missing-value";
    /// A key and a name have no `=` between them.
    PCL0138 ObjMissingEqIdent "obj-missing-eq-ident";
    /// No `=` follows a key.
    PCL0139 ObjMissingEq "obj-missing-eq";
    /// Two items of an object on one line have no comma between them.
    PCL0140 ObjMissingSep "obj-missing-sep";
    /// The brace of an object is not closed.
    PCL0141 ObjUnterminated "obj-unterminated";
    /// A `for` has no variable.
    PCL0142 ForMissingVar "for-missing-var";
    /// A `for` has no second variable.
    PCL0143 ForMissingValueVar "for-missing-value-var";
    /// A `for` has no `in`.
    PCL0144 ForMissingIn "for-missing-in";
    /// A `for` has no `:`.
    PCL0145 ForMissingColon "for-missing-colon";
    /// A complete `for` is followed by something else.
    PCL0146 ForTrailing "for-trailing";
    /// A `for` in brackets makes keys.
    PCL0147 ForTupleKey "for-tuple-key";
    /// A `for` in brackets groups.
    PCL0148 ForTupleGroup "for-tuple-group";
    /// A `for` in braces does not make keys.
    PCL0149 ForObjectNoKey "for-object-no-key";
    /// A template is not closed.
    PCL0150 TmplUnterminated "tmpl-unterminated";
    /// An interpolation is not closed.
    PCL0151 InterpUnclosedEof "interp-unclosed-eof";
    /// A string ends inside an interpolation.
    PCL0152 InterpUnclosedQuote "interp-unclosed-quote";
    /// An interpolation contains a colon.
    PCL0153 InterpColon "interp-colon";
    /// The expression of an interpolation is followed by something else.
    PCL0154 InterpExtra "interp-extra";
    /// A directive does not begin with a word.
    PCL0155 CtrlMissingKeyword "ctrl-missing-keyword";
    /// A directive does not exist.
    PCL0156 CtrlUnknownKeyword "ctrl-unknown-keyword";
    /// A `for` directive has no variable.
    PCL0157 CtrlForMissingVar "ctrl-for-missing-var";
    /// A `for` directive has no second variable.
    PCL0158 CtrlForMissingValueVar "ctrl-for-missing-value-var";
    /// A `for` directive has no `in`.
    PCL0159 CtrlForMissingIn "ctrl-for-missing-in";
    /// A complete directive is followed by something else.
    PCL0160 CtrlExtra "ctrl-extra";
    /// An `if` directive has no `endif`.
    PCL0161 TmplIfUnclosed "tmpl-if-unclosed";
    /// A `for` directive has no `endfor`.
    PCL0162 TmplForUnclosed "tmpl-for-unclosed";
    /// A directive has no matching beginning.
    PCL0163 TmplUnexpectedDirective "tmpl-unexpected-directive";
    /// An `if` directive has two `else`.
    PCL0164 TmplElseDup "tmpl-else-dup";
    /// An `if` directive ends in `endfor`.
    PCL0165 TmplIfWrongEnd "tmpl-if-wrong-end";
    /// A `for` directive has an `else`.
    PCL0166 TmplForElse "tmpl-for-else";
    /// A `for` directive ends in `endif`.
    PCL0167 TmplForWrongEnd "tmpl-for-wrong-end";
    /// The marker of a heredoc is quoted, or its closing line is another one.
    PCL0168 HeredocMarker "heredoc-marker";
    /// A heredoc ends with the closing line of another one.
    PCL0169 HeredocSwallowing "heredoc-swallowing";

    // 0170 to 0189: the notation of other languages
    /// An attribute is set with a keyword such as `let`, or a line is an import.
    PCL0170 ForeignStatement "foreign-statement";
    /// A list or an object is written as in YAML.
    PCL0171 YamlNotation "yaml-notation";
    /// An operator is written as a word, or with a sign too many.
    PCL0172 WordOperator "word-operator";
    /// A conditional is written with `if` and `else`.
    PCL0173 ForeignConditional "foreign-conditional";
    /// A `for` follows its value, as in Python.
    PCL0174 Comprehension "comprehension";
    /// A function is called as a method.
    PCL0175 MethodCall "method-call";
    /// A function is written out.
    PCL0176 FunctionLiteral "function-literal";
    /// A string has a prefix or triple quotes.
    PCL0177 PrefixedString "prefixed-string";
    /// An interpolation is outside of a string.
    PCL0178 BareInterpolation "bare-interpolation";
    /// An operator for missing values does not exist.
    PCL0179 NullOperator "null-operator";
    /// A comment begins with a sign of another language.
    PCL0180 ForeignComment "foreign-comment";
    /// A type is written as in another language.
    PCL0181 ForeignType "foreign-type";
    /// A string is written without quotes.
    PCL0182 UnquotedString "unquoted-string";
    /// The file has the markers of a merge conflict.
    PCL0183 ConflictMarker "conflict-marker";

    // 02: names and blocks
    /// A name is not declared.
    PCL0201 UndefinedVariable "undefined-variable";
    /// A name is declared twice.
    PCL0202 AlreadyDeclared "already-declared";
    /// Declarations depend on each other in a cycle.
    PCL0203 CircularReference "circular-reference";
    /// A block type does not exist.
    PCL0204 UnknownBlockType "unknown-block-type";
    /// A block has too few or too many labels.
    PCL0205 WrongLabelCount "wrong-label-count";
    /// An attribute is not known to its block and would be ignored.
    PCL0206 IgnoredAttribute "ignored-attribute";
    /// A nested block is not known to its block and would be ignored.
    PCL0207 IgnoredBlock "ignored-block";
    /// Both variables of a `for` have the same name.
    PCL0208 DuplicateLoopVariable "duplicate-loop-variable";
    /// An output has no value.
    PCL0209 MissingOutputValue "missing-output-value";
    /// An attribute takes a plain quoted string only.
    PCL0210 NotAStringLiteral "not-a-string-literal";
    /// An attribute takes `true` or `false` only.
    PCL0211 NotABoolLiteral "not-a-bool-literal";
    /// A block is allowed only once.
    PCL0212 DuplicateBlock "duplicate-block";
    /// A nested block is not allowed here.
    PCL0213 UnsupportedBlock "unsupported-block";
    /// The kind of a hook is neither `resource` nor `error`.
    PCL0214 UnknownHookKind "unknown-hook-kind";
    /// A hook is missing its command.
    PCL0215 MissingHookCommand "missing-hook-command";
    /// The `hooks` option is not an object of lists.
    PCL0216 MalformedHooksOption "malformed-hooks-option";
    /// A name in the `hooks` option is not a moment that hooks run at.
    PCL0217 UnknownHookName "unknown-hook-name";
    /// A hook is of the wrong kind for its place.
    PCL0218 WrongHookKind "wrong-hook-kind";
    /// The program refers to one of its outputs, which have no value inside the program.
    PCL0219 OutputReferenced "output-referenced";

    // 03: types
    /// A value does not fit the type that its place expects.
    PCL0301 TypeNotAssignable "type-not-assignable";
    /// An object has no such property.
    PCL0302 UnknownProperty "unknown-property";
    /// A property is spelled in another case.
    PCL0303 PropertyCaseMismatch "property-case-mismatch";
    /// A value has no properties.
    PCL0304 CannotTraverse "cannot-traverse";
    /// The index of a tuple is not an integer.
    PCL0305 TupleIndexNotInteger "tuple-index-not-integer";
    /// A tuple has no element at this index.
    PCL0306 TupleIndexOutOfRange "tuple-index-out-of-range";
    /// The index of a list is a string that is not a number.
    PCL0307 ListIndexNotNumber "list-index-not-number";
    /// A value cannot be iterated over or indexed.
    PCL0309 NotACollection "not-a-collection";
    /// The key of an object does not convert to a string.
    PCL0310 ObjectKeyNotString "object-key-not-string";
    /// A key occurs twice in an object; the first value is lost.
    PCL0311 DuplicateObjectKey "duplicate-object-key";
    /// The name of a property is not a string.
    PCL0312 PropertyNameNotString "property-name-not-string";
    /// A type expression is not a type.
    PCL0313 InvalidTypeExpression "invalid-type-expression";
    /// A property is selected from a name that has no value.
    PCL0314 NotTraversable "not-traversable";
    /// An object has an unknown key, which would be ignored.
    PCL0315 IgnoredKey "ignored-key";
    /// A value is not among those that the schema lists.
    PCL0316 ValueNotListed "value-not-listed";

    // 04: resources and schemas
    /// A type token is not of the form `package:module:member`.
    PCL0401 MalformedToken "malformed-token";
    /// A package has no such resource.
    PCL0402 UnknownResourceType "unknown-resource-type";
    /// The schema of a resource or function is damaged.
    PCL0403 InvalidSchemaMember "invalid-schema-member";
    /// A resource, component or options block has no such attribute.
    PCL0404 UnsupportedAttribute "unsupported-attribute";
    /// A required attribute is missing.
    PCL0405 MissingAttribute "missing-attribute";
    /// A provider cannot be read.
    PCL0406 ProviderRead "provider-read";
    /// A component resource cannot be read.
    PCL0407 ComponentRead "component-read";
    /// The schema of a package cannot be found or loaded.
    PCL0408 UnknownPackage "unknown-package";
    /// A version is not a semantic version.
    PCL0409 InvalidVersion "invalid-version";
    /// An option takes a literal only.
    PCL0410 OptionNotLiteral "option-not-literal";
    /// The target of a reference in a schema does not exist.
    PCL0411 DanglingSchemaReference "dangling-schema-reference";
    /// A type token names a module that does not contain the member.
    PCL0412 WrongModule "wrong-module";
    /// Resources of a type cannot be listed.
    /// A type token is ambiguous.
    PCL0414 AmbiguousToken "ambiguous-token";

    // 045 to 046: mistakes in package schemas, which `pcl schema check` looks for
    /// A file is not a package schema.
    PCL0450 SchemaDocument "schema-document";
    /// The text of a schema member is not JSON, or a field has the wrong kind of value.
    PCL0451 SchemaValue "schema-value";
    /// A field at the top of a schema cannot be used.
    PCL0452 SchemaHeader "schema-header";
    /// A token of a schema is malformed, or of another package.
    PCL0453 SchemaToken "schema-token";
    /// A `$ref` is malformed.
    PCL0454 SchemaReference "schema-reference";
    /// A `$ref` names a type or resource that the schema does not have.
    PCL0455 SchemaDanglingReference "schema-dangling-reference";
    /// A type spec of a schema is not a type.
    PCL0456 SchemaType "schema-type";
    /// A constant or default does not fit its type.
    PCL0457 SchemaConstant "schema-constant";
    /// A property has a name that it may not have.
    PCL0458 SchemaPropertyName "schema-property-name";
    /// A property is required and does not exist.
    PCL0459 SchemaRequired "schema-required";
    /// A key of a schema is no longer supported.
    PCL0460 SchemaRemovedKey "schema-removed-key";
    /// A method of a schema is invalid.
    PCL0461 SchemaMethod "schema-method";
    /// `multiArgumentInputs` is not a permutation of the inputs.
    PCL0462 SchemaMultiArgument "schema-multi-argument";
    /// No value of a type can exist.
    PCL0463 SchemaEndlessType "schema-endless-type";
    /// Members of a schema are ambiguous.
    PCL0464 SchemaCollision "schema-collision";
    /// A description refers to a member that does not exist.
    PCL0465 SchemaDocReference "schema-doc-reference";
    /// A key occurs twice in an object of a schema.
    PCL0466 SchemaDuplicateKey "schema-duplicate-key";

    // 05: components and packages
    /// A component includes itself.
    PCL0501 ComponentIncludesItself "component-includes-itself";
    /// The directory of a component cannot be used.
    PCL0502 ComponentSource "component-source";
    /// The program of a component has errors.
    PCL0503 ComponentHasErrors "component-has-errors";
    /// A component without a source needs a `token`.
    PCL0504 MissingComponentToken "missing-component-token";
    /// A component that has a source has a `token` too.
    PCL0505 UnexpectedComponentToken "unexpected-component-token";
    /// A component is outside the project.
    PCL0506 ComponentOutsideProject "component-outside-project";
    /// The label of a `package` block is deprecated.
    PCL0507 PackageLabel "package-label";
    /// A `package` block does not name a package.
    PCL0508 UnnamedPackage "unnamed-package";
    /// A field of a `package` block is malformed.
    PCL0509 InvalidPackageField "invalid-package-field";
    /// A package is declared twice.
    PCL0510 DuplicatePackage "duplicate-package";
    /// The source of a component begins with `/` and is treated as relative.
    PCL0511 AbsoluteComponentSource "absolute-component-source";
    /// `PulumiPlugin.yaml` does not describe a package of components.
    PCL0512 InvalidPluginFile "invalid-plugin-file";
    /// An input or output of a component in a package has no type.
    PCL0513 UntypedInterface "untyped-interface";
    /// Two parts of a package of components have the same name.
    PCL0514 InterfaceClash "interface-clash";
    /// A declaration of a package of components belongs to no component.
    PCL0515 OutsideComponent "outside-component";
    /// A package breaks programs that use an earlier schema of it.
    PCL0516 BreakingChange "breaking-change";

    // 06: functions and invokes
    /// A function does not exist.
    PCL0601 UnknownFunction "unknown-function";
    /// A call is missing an argument.
    PCL0602 MissingArgument "missing-argument";
    /// A call has too many arguments.
    PCL0603 ExtraArguments "extra-arguments";
    /// An argument is not of the kind that the function requires.
    PCL0604 BadArgument "bad-argument";
    /// A function takes a different number of arguments.
    PCL0605 WrongArgumentCount "wrong-argument-count";
    /// An argument must be a resource.
    PCL0606 NotAResource "not-a-resource";
    /// The token of an `invoke` is not a quoted string.
    PCL0607 InvokeTokenNotLiteral "invoke-token-not-literal";
    /// A package has no such function.
    PCL0608 UnknownInvoke "unknown-invoke";
    /// An `invoke` is missing its arguments.
    PCL0609 MissingInvokeArguments "missing-invoke-arguments";
    /// A function takes its arguments one by one, not as an object.
    PCL0610 PositionalInvoke "positional-invoke";
    /// A `call` is not of the form `call(resource, "method", { .. })`.
    PCL0611 MalformedCall "malformed-call";
    /// A resource has no such method.
    PCL0612 UnknownMethod "unknown-method";

    // 07: lints, each with its group; those that are off run only if their level is chosen
    /// A local is unused.
    PCL0701 UnusedLocal "unused-local" Unused off;
    /// A config is unused.
    PCL0702 UnusedConfig "unused-config" Unused off;
    /// The program uses a deprecated part of a package.
    PCL0703 Deprecated "deprecated" Upkeep on;
    /// An output exposes a secret.
    PCL0704 ExposedSecret "exposed-secret" Security off;
    /// A variable of a loop hides a declaration.
    PCL0705 ShadowedName "shadowed-name" Suspicious off;
    /// A string consists of one interpolation.
    PCL0706 RedundantInterpolation "redundant-interpolation" Style off;
    /// `dependsOn` names a resource that is referred to anyway.
    PCL0707 ImpliedDependency "implied-dependency" Style off;
    /// An option that expects a resource has a string, a number or a bool.
    PCL0708 TextForResource "text-for-resource" Suspicious on;
    /// A string holds an interpolation of another language, which is plain text.
    PCL0709 ForeignInterpolation "foreign-interpolation" Suspicious on;
    /// A string is a misspelling of a value that an open enumeration lists.
    PCL0710 NearValue "near-value" Suspicious on;
    /// A comment suppresses a diagnostic that is not there.
    PCL0711 UnusedIgnore "unused-ignore" Unused on;
    /// A comment that suppresses diagnostics is malformed, or names an unknown code.
    PCL0712 InvalidIgnore "invalid-ignore" Suspicious on;
    /// A package is used without a version.
    PCL0713 UnpinnedVersion "unpinned-version" Upkeep off;
    /// A date without quotes is arithmetic.
    PCL0714 DateArithmetic "date-arithmetic" Suspicious on;
    /// A condition always has the same value.
    PCL0715 ConstantCondition "constant-condition" Suspicious off;
    /// A name is not in camel case.
    PCL0716 Naming "naming" Style off;

    // 08: the releases of Pulumi that a program has to work with
    /// The oldest Pulumi to support does not have a construct.
    PCL0801 TooNewForPulumi "too-new-for-pulumi";
    /// Pulumi removed a construct.
    PCL0802 RemovedFromPulumi "removed-from-pulumi";
    /// A construct means something else in the oldest Pulumi to support.
    PCL0803 ChangedInPulumi "changed-in-pulumi";
    /// A range of versions is malformed, or no version is in it.
    PCL0804 InvalidVersionRange "invalid-version-range";

    // 09: bugs of pcl itself
    /// `pcl` itself failed.
    PCL0901 Internal "internal";

    // 10: programs that run
    /// A value is null where it must not be.
    PCL1001 NullValue "null-value";
    /// A value is of another kind than the one that is needed.
    PCL1002 WrongValueKind "wrong-value-kind";
    /// The result of an operator is not a finite number.
    PCL1003 NotFinite "not-finite";
    /// A value does not have the part that a program reads.
    PCL1004 MissingPart "missing-part";
    /// Two rounds of a loop give the same key.
    PCL1005 RepeatedKey "repeated-key";
    /// A value is one that the protocol of the engine uses for something else.
    PCL1006 ReservedValue "reserved-value";
    /// A value has too many parts, nests too deeply or is too long.
    PCL1007 ValueTooLarge "value-too-large";
    /// A function fails.
    PCL1008 FunctionFailed "function-failed";
    /// A file or remote content cannot be read.
    PCL1009 UnreadableContent "unreadable-content";
    /// A configuration variable has no value.
    PCL1010 MissingConfig "missing-config";
    /// The configured value does not fit the variable.
    PCL1011 InvalidConfig "invalid-config";
    /// A configured value is encrypted, and its key is not known.
    PCL1012 EncryptedConfig "encrypted-config";
    /// The engine or a provider reports an error.
    PCL1013 EngineError "engine-error";
    /// A function or method of a provider refuses its arguments.
    PCL1014 CallRefused "call-refused";
    /// The value of an option of a resource is not usable.
    PCL1015 InvalidOptionValue "invalid-option-value";
    /// A program reads a file outside of its project.
    PCL1016 ReadOutsideProject "read-outside-project";
    /// Two resources have one URN.
    PCL1017 DuplicateUrn "duplicate-urn";

    // 11: states of stacks
    /// A file is not the state of a stack.
    PCL1101 StateDocument "state-document";
    /// A state has a version or a feature that is not known.
    PCL1102 StateVersion "state-version";
    /// A field of a state is missing, or has the wrong kind of value.
    PCL1103 StateValue "state-value";
    /// Two resources of a state have the same URN.
    PCL1104 StateDuplicateUrn "state-duplicate-urn";
    /// A resource of a state refers to one that the state does not have.
    PCL1105 StateMissingResource "state-missing-resource";
    /// A resource of a state is listed before one that it needs.
    PCL1106 StateOrder "state-order";
    /// Resources of a state need each other.
    PCL1107 StateCycle "state-cycle";
    /// The manifest of a state does not belong to the version that it names.
    PCL1108 StateManifest "state-manifest";
    /// An operation was under way when the state was written.
    PCL1109 StatePendingOperation "state-pending-operation";
    /// Pulumi has recorded that the state is damaged.
    PCL1110 StateRecordedError "state-recorded-error";
    /// A resource cannot be written as a program.
    PCL1111 ImportRefused "import-refused";
    /// A program does not give a resource exactly the inputs of its state.
    PCL1112 ImportInexact "import-inexact";
    /// An option of a resource cannot be written as a program.
    PCL1113 ImportOption "import-option";

    // 12: programs that are converted to other languages
    /// The target language of a conversion has no form for a construct.
    PCL1201 NoCounterpart "no-counterpart";
    /// A converted program would refer to something that is left out.
    PCL1202 LeftOut "left-out";
    /// A program in Pulumi YAML cannot be read.
    PCL1203 InvalidYamlProgram "invalid-yaml-program";
    /// PCL has no form for a construct of Pulumi YAML.
    PCL1204 NotInPcl "not-in-pcl";
    /// Pulumi YAML does not read a key.
    PCL1205 UnknownYamlKey "unknown-yaml-key";

    // 13: plans of deployments
    /// A deployment would delete or replace a protected resource.
    PCL1301 PlanProtected "plan-protected";
    /// A deployment would delete a resource and create it again under another name.
    PCL1302 PlanRename "plan-rename";
    /// A deployment would delete or replace a resource that holds data.
    PCL1303 PlanStateful "plan-stateful";
    /// A deployment would change the configuration of a provider that manages resources.
    PCL1304 PlanProvider "plan-provider";
    /// A deployment would write a secret of the state as plain text.
    PCL1305 PlanSecret "plan-secret";
    /// A plan lacks the resources of a block whose range is not known.
    PCL1306 PlanHidden "plan-hidden";
    /// A deployment of some targets would need other resources, too.
    PCL1307 PlanTarget "plan-target";
    /// A deployment would replace a resource that the option `import` names.
    PCL1308 PlanImport "plan-import";
    /// Two resources of a program are one of the state.
    PCL1309 PlanAlias "plan-alias";
}

impl Code {
    /// The page of the code with a title and its summary, in Markdown. `heading` is the sign of the
    /// title, such as `#`.
    ///
    /// ```
    /// use pcl_diagnostics::Code;
    /// let page = Code::UnknownSetting.titled_page("#");
    /// assert!(page.starts_with("# PCL0022 unknown-setting\n\nA setting does not exist.\n\n"));
    /// ```
    pub fn titled_page(self, heading: &str) -> String {
        let (name, summary, page) = (self.name(), self.summary(), self.page());
        format!("{heading} {self} {name}\n\n{summary}\n\n{page}")
    }

    /// The code with this number or name; numbers are matched without regard to case.
    ///
    /// ```
    /// use pcl_diagnostics::Code;
    /// assert_eq!(Code::parse("pcl0301"), Some(Code::TypeNotAssignable));
    /// assert_eq!(Code::parse("type-not-assignable"), Some(Code::TypeNotAssignable));
    /// assert_eq!(Code::parse("PCL9999"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.id().eq_ignore_ascii_case(text) || code.name() == text)
    }

    /// Returns whether the code is about syntax: bytes, tokens and the grammar.
    ///
    /// ```
    /// use pcl_diagnostics::Code;
    /// assert!(Code::ExprMissing.is_syntax() && !Code::TypeNotAssignable.is_syntax());
    /// ```
    pub fn is_syntax(self) -> bool {
        let is_of_other_kind = matches!(
            self,
            Self::InvalidConfiguration | Self::UnknownSetting | Self::UnformattedFile
        );
        self.id() < "PCL0200" && !is_of_other_kind
    }

    /// Returns whether the code is about the notation of another language, which is read all the
    /// same.
    ///
    /// ```
    /// use pcl_diagnostics::Code;
    /// assert!(Code::MethodCall.is_foreign() && !Code::ExprMissing.is_foreign());
    /// ```
    pub fn is_foreign(self) -> bool {
        self >= Self::ForeignStatement && self.is_syntax()
    }

    /// Returns whether the code is about a program that runs.
    pub fn is_of_run(self) -> bool {
        ("PCL1000".."PCL1100").contains(&self.id())
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_rise_and_names_are_unique() {
        for pair in Code::ALL.windows(2) {
            assert!(pair[0].id() < pair[1].id(), "{} before {}", pair[0], pair[1]);
        }
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn every_number_is_pcl_and_four_digits() {
        for code in Code::ALL {
            let digits = code.id().strip_prefix("PCL").unwrap_or_default();
            assert!(digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()), "{code}");
            assert!(!code.summary().is_empty());
        }
    }
}
