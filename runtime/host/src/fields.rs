//! `google.protobuf.Struct` as bytes.
//!
//! Written by hand for two reasons: values may nest as deeply as Pulumi allows, which is deeper
//! than libraries read, and the length of each part is computed once, where libraries compute it
//! again at each level.

use bytes::Bytes;
use pcl_values::wire::{Struct, Value, WireOptions, decode, encode};
use pcl_values::{MAX_DEPTH, PropertyMap, PropertyValue, WireError};

/// The types of fields on the wire.
const VARINT: u8 = 0;
const EIGHT_BYTES: u8 = 1;
const LENGTH: u8 = 2;
const FOUR_BYTES: u8 = 5;

/// The numbers of the fields of a `Value`.
const NULL: u8 = 1;
const NUMBER: u8 = 2;
const STRING: u8 = 3;
const BOOL: u8 = 4;
const STRUCT: u8 = 5;
const LIST: u8 = 6;

/// The reason why bytes are not properties.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FieldsError {
    /// The bytes are not a `google.protobuf.Struct`.
    #[error("the message is malformed")]
    Malformed,
    /// Its values nest too deeply.
    #[error("the values nest deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// A value in it is malformed.
    #[error(transparent)]
    Value(#[from] WireError),
}

/// The message with these properties.
///
/// # Errors
/// Returns an error if a value cannot be sent.
pub(crate) fn to_bytes(
    properties: &PropertyMap,
    options: &WireOptions,
) -> Result<Bytes, WireError> {
    Ok(struct_to_bytes(&encode(properties, options)?))
}

/// The message with this value.
///
/// # Errors
/// Returns an error if it cannot be sent.
pub(crate) fn value_to_bytes(
    value: &PropertyValue,
    options: &WireOptions,
) -> Result<Bytes, WireError> {
    let properties = PropertyMap::from_iter([("".into(), value.clone())]);
    let value = encode(&properties, options)?.remove("").unwrap_or_default();
    let mut writer = Writer::default();
    let length = writer.measure_value(&value);
    Ok(writer.write(length, |writer, lengths| writer.value(&value, lengths)))
}

/// The properties in a message; those of an absent one are none.
///
/// # Errors
/// Returns an error if it is malformed.
pub(crate) fn from_bytes(
    message: Option<&Bytes>,
    options: &WireOptions,
) -> Result<PropertyMap, FieldsError> {
    match message {
        None => Ok(PropertyMap::new()),
        Some(message) => Ok(decode(&read_struct(message, 0)?, options)?),
    }
}

fn struct_to_bytes(fields: &Struct) -> Bytes {
    let mut writer = Writer::default();
    let length = writer.measure_struct(fields);
    writer.write(length, |writer, lengths| writer.fields(fields, lengths))
}

/// The lengths of the parts of a message, in the order in which they are written.
type Lengths = std::vec::IntoIter<usize>;

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    lengths: Vec<usize>,
}

impl Writer {
    fn write(mut self, length: usize, content: impl FnOnce(&mut Self, &mut Lengths)) -> Bytes {
        self.bytes.reserve_exact(length);
        let mut lengths = std::mem::take(&mut self.lengths).into_iter();
        content(&mut self, &mut lengths);
        self.bytes.into()
    }

    /// Measures a part and notes its length.
    fn measured(&mut self, measure: impl FnOnce(&mut Self) -> usize) -> usize {
        let place = self.lengths.len();
        self.lengths.push(0);
        let length = measure(self);
        if let Some(noted) = self.lengths.get_mut(place) {
            *noted = length;
        }
        with_header(length)
    }

    fn measure_struct(&mut self, fields: &Struct) -> usize {
        let mut length = 0;
        for (name, value) in fields {
            length += self.measured(|writer| {
                let value = writer.measured(|writer| writer.measure_value(value));
                with_header(name.len()) + value
            });
        }
        length
    }

    fn measure_value(&mut self, value: &Value) -> usize {
        match value {
            Value::Null | Value::Bool(_) => 2,
            Value::Number(_) => 9,
            Value::String(text) => with_header(text.len()),
            Value::Struct(fields) => self.measured(|writer| writer.measure_struct(fields)),
            Value::List(elements) => self.measured(|writer| {
                let measure = |element| writer.measured(|writer| writer.measure_value(element));
                elements.iter().map(measure).sum()
            }),
        }
    }

    fn fields(&mut self, fields: &Struct, lengths: &mut Lengths) {
        for (name, value) in fields {
            self.header(1, lengths);
            self.text(1, name);
            self.header(2, lengths);
            self.value(value, lengths);
        }
    }

    fn value(&mut self, value: &Value, lengths: &mut Lengths) {
        match value {
            Value::Null => self.bytes.extend([tag(NULL, VARINT), 0]),
            Value::Bool(value) => self.bytes.extend([tag(BOOL, VARINT), u8::from(*value)]),
            Value::Number(value) => {
                self.bytes.push(tag(NUMBER, EIGHT_BYTES));
                self.bytes.extend(value.to_le_bytes());
            }
            Value::String(text) => self.text(STRING, text),
            Value::Struct(fields) => {
                self.header(STRUCT, lengths);
                self.fields(fields, lengths);
            }
            Value::List(elements) => {
                self.header(LIST, lengths);
                for element in elements {
                    self.header(1, lengths);
                    self.value(element, lengths);
                }
            }
        }
    }

    fn text(&mut self, field: u8, text: &str) {
        self.bytes.push(tag(field, LENGTH));
        self.varint(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn header(&mut self, field: u8, lengths: &mut Lengths) {
        self.bytes.push(tag(field, LENGTH));
        self.varint(lengths.next().unwrap_or_default());
    }

    fn varint(&mut self, mut value: usize) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
}

const fn tag(field: u8, kind: u8) -> u8 {
    field << 3 | kind
}

/// The length of a part with its tag and its length in front.
fn with_header(length: usize) -> usize {
    let bits = usize::BITS - (length | 1).leading_zeros();
    1 + bits.div_ceil(7) as usize + length
}

/// A field that was read.
enum Field<'b> {
    Number(u64),
    Bytes(&'b [u8]),
}

/// Takes the next field off the front of a message; `None` at its end.
fn next<'b>(message: &mut &'b [u8]) -> Result<Option<(u64, Field<'b>)>, FieldsError> {
    if message.is_empty() {
        return Ok(None);
    }
    let tag = read_varint(message)?;
    let mut take = |length: usize| {
        let (taken, rest) = message.split_at_checked(length)?;
        *message = rest;
        Some(taken)
    };
    let field = match (tag & 7) as u8 {
        VARINT => Field::Number(read_varint(message)?),
        EIGHT_BYTES => {
            let bytes = take(8).and_then(|bytes| bytes.try_into().ok());
            Field::Number(u64::from_le_bytes(bytes.ok_or(FieldsError::Malformed)?))
        }
        FOUR_BYTES => {
            let bytes = take(4).and_then(|bytes| bytes.try_into().ok());
            Field::Number(u32::from_le_bytes(bytes.ok_or(FieldsError::Malformed)?).into())
        }
        LENGTH => {
            let length = read_varint(message)?;
            let length = usize::try_from(length).map_err(|_| FieldsError::Malformed)?;
            let bytes = message.split_at_checked(length);
            let (bytes, rest) = bytes.ok_or(FieldsError::Malformed)?;
            *message = rest;
            Field::Bytes(bytes)
        }
        _ => return Err(FieldsError::Malformed),
    };
    Ok(Some((tag >> 3, field)))
}

fn read_varint(message: &mut &[u8]) -> Result<u64, FieldsError> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = message.split_first().ok_or(FieldsError::Malformed)?;
        *message = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(FieldsError::Malformed)
}

fn read_struct(mut message: &[u8], depth: usize) -> Result<Struct, FieldsError> {
    if depth > MAX_DEPTH {
        return Err(FieldsError::TooDeep);
    }
    let mut fields = Struct::new();
    while let Some((number, field)) = next(&mut message)? {
        if let (1, Field::Bytes(mut entry)) = (number, field) {
            let mut name = "";
            let mut value = Value::Null;
            while let Some((number, field)) = next(&mut entry)? {
                match (number, field) {
                    (1, Field::Bytes(text)) => name = read_text(text)?,
                    (2, Field::Bytes(message)) => value = read_value(message, depth + 1)?,
                    _ => {}
                }
            }
            fields.insert(name.to_owned(), value);
        }
    }
    Ok(fields)
}

fn read_value(mut message: &[u8], depth: usize) -> Result<Value, FieldsError> {
    if depth > MAX_DEPTH {
        return Err(FieldsError::TooDeep);
    }
    let mut value = Value::Null;
    while let Some((number, field)) = next(&mut message)? {
        value = match (u8::try_from(number).unwrap_or_default(), field) {
            (NULL, _) => Value::Null,
            (NUMBER, Field::Number(bits)) => Value::Number(f64::from_bits(bits)),
            (BOOL, Field::Number(value)) => Value::Bool(value != 0),
            (STRING, Field::Bytes(text)) => Value::String(read_text(text)?.into()),
            (STRUCT, Field::Bytes(message)) => Value::Struct(read_struct(message, depth)?),
            (LIST, Field::Bytes(mut message)) => {
                let mut elements = Vec::new();
                while let Some((number, field)) = next(&mut message)? {
                    if let (1, Field::Bytes(message)) = (number, field) {
                        elements.push(read_value(message, depth + 1)?);
                    }
                }
                Value::List(elements)
            }
            _ => value,
        };
    }
    Ok(value)
}

fn read_text(bytes: &[u8]) -> Result<&str, FieldsError> {
    std::str::from_utf8(bytes).map_err(|_| FieldsError::Malformed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A `google.protobuf.Value` as another library reads and writes it.
    mod reference {
        use std::collections::BTreeMap;

        #[derive(Clone, PartialEq, prost::Message)]
        pub struct Struct {
            #[prost(btree_map = "string, message", tag = "1")]
            pub fields: BTreeMap<String, Value>,
        }

        #[derive(Clone, PartialEq, prost::Message)]
        pub struct Value {
            #[prost(oneof = "Kind", tags = "1, 2, 3, 4, 5, 6")]
            pub kind: Option<Kind>,
        }

        #[derive(Clone, PartialEq, prost::Oneof)]
        pub enum Kind {
            #[prost(int32, tag = "1")]
            Null(i32),
            #[prost(double, tag = "2")]
            Number(f64),
            #[prost(string, tag = "3")]
            String(String),
            #[prost(bool, tag = "4")]
            Bool(bool),
            #[prost(message, tag = "5")]
            Struct(Struct),
            #[prost(message, tag = "6")]
            List(List),
        }

        #[derive(Clone, PartialEq, prost::Message)]
        pub struct List {
            #[prost(message, repeated, tag = "1")]
            pub values: Vec<Value>,
        }
    }

    fn converted(value: &Value) -> reference::Value {
        use reference::Kind;
        let kind = match value {
            Value::Null => Kind::Null(0),
            Value::Bool(value) => Kind::Bool(*value),
            Value::Number(value) => Kind::Number(*value),
            Value::String(text) => Kind::String(text.to_string()),
            Value::List(elements) => {
                Kind::List(reference::List { values: elements.iter().map(converted).collect() })
            }
            Value::Struct(fields) => Kind::Struct(converted_struct(fields)),
        };
        reference::Value { kind: Some(kind) }
    }

    fn converted_struct(fields: &Struct) -> reference::Struct {
        let converted = |(name, value): (&String, &Value)| (name.clone(), converted(value));
        reference::Struct { fields: fields.iter().map(converted).collect() }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<f64>().prop_filter("equal to itself", |it| !it.is_nan()).prop_map(Value::Number),
            ".{0,200}".prop_map(|text| Value::String(text.into())),
        ];
        leaf.prop_recursive(6, 64, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Value::List),
                prop::collection::btree_map(".{0,8}", inner, 0..8).prop_map(Value::Struct),
            ]
        })
    }

    proptest! {
        #[test]
        fn another_library_reads_and_writes_the_same(
            fields in prop::collection::btree_map(".{0,8}", values(), 0..8),
        ) {
            let bytes = struct_to_bytes(&fields);
            let read: reference::Struct = prost::Message::decode(bytes.clone()).unwrap();
            prop_assert_eq!(read, converted_struct(&fields));
            let written = prost::Message::encode_to_vec(&converted_struct(&fields));
            prop_assert_eq!(&read_struct(&written, 0).unwrap(), &fields);
            prop_assert_eq!(read_struct(&bytes, 0).unwrap(), fields);
        }

        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            _ = read_struct(&bytes, 0);
        }
    }

    #[test]
    fn values_nest_as_deeply_as_pulumi_allows() {
        let nested = |depth| {
            let mut value = PropertyValue::Null;
            for _ in 0..depth {
                value = PropertyMap::from_iter([("a".into(), value)]).into();
            }
            PropertyMap::from_iter([("a".into(), value)])
        };
        let options = WireOptions::REGISTER;
        let properties = nested(MAX_DEPTH - 2);
        let bytes = to_bytes(&properties, &options).unwrap();
        assert_eq!(from_bytes(Some(&bytes), &options).unwrap(), properties);
        assert!(to_bytes(&nested(MAX_DEPTH + 2), &options).is_err());

        let mut message = Vec::new();
        for _ in 0..MAX_DEPTH + 2 {
            let mut writer = Writer::default();
            let entry = [
                &[tag(STRUCT, LENGTH)][..],
                &{
                    writer.varint(message.len());
                    writer.bytes
                },
                &message,
            ]
            .concat();
            let mut entry_with_header = Writer::default();
            entry_with_header.bytes.push(tag(2, LENGTH));
            entry_with_header.varint(entry.len());
            entry_with_header.bytes.extend(entry);
            let mut field = Writer::default();
            field.bytes.push(tag(1, LENGTH));
            field.varint(entry_with_header.bytes.len());
            field.bytes.extend(entry_with_header.bytes);
            message = field.bytes;
        }
        assert!(matches!(read_struct(&message, 0), Err(FieldsError::TooDeep)));
    }
}
