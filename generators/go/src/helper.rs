//! Functions that a project contains where Go and Pulumi's SDK have no counterpart of a function of
//! the language.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::head;
use crate::package::PULUMI;
use crate::syntax::uses;

macro_rules! helpers {
    ($($name:ident $function:literal $text:literal)*) => {
        /// A function that a project contains if it uses it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub(crate) enum Helper {
            $($name,)*
        }

        impl Helper {
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name of the function or type.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $function,)* }
            }

            /// Its text, with documentation.
            const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

/// The text of the file with the functions that these files use; `None` if they use none.
pub(crate) fn file<'t>(texts: impl Iterator<Item = &'t str>) -> Option<String> {
    let mut needed: BTreeSet<Helper> = BTreeSet::new();
    let mut open: Vec<&str> = texts.collect();
    while let Some(text) = open.pop() {
        let names: BTreeSet<&str> =
            uses(text).into_iter().filter(|it| !it.is_member).map(|it| it.name).collect();
        for &helper in Helper::ALL {
            if names.contains(helper.name()) && needed.insert(helper) {
                open.push(helper.text());
            }
        }
    }
    if needed.is_empty() {
        return None;
    }
    let texts: Vec<String> = needed.iter().map(|helper| format!("\n{}\n", helper.text())).collect();
    let body = texts.concat();
    let imports = BTreeMap::from([(PULUMI.to_owned(), "pulumi".to_owned())]);
    Some(head(&body, &imports).0 + &body)
}

helpers! {
    Assign "assignValue" r#"// assignValue converts a value as Pulumi does, and stores it.
func assignValue(target, value reflect.Value) error {
	for value.IsValid() && (value.Kind() == reflect.Interface || value.Kind() == reflect.Pointer) {
		if value.Type().AssignableTo(target.Type()) {
			break
		}
		value = value.Elem()
	}
	if !value.IsValid() {
		target.SetZero()
		return nil
	}
	if value.Type().AssignableTo(target.Type()) {
		target.Set(value)
		return nil
	}
	failed := fmt.Errorf("cannot convert %v to %v", value.Type(), target.Type())
	switch target.Kind() {
	case reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
		return assignValue(target.Elem(), value)
	case reflect.String, reflect.Bool, reflect.Int, reflect.Float64:
		return assignSimple(target, value, failed)
	case reflect.Slice:
		if value.Kind() != reflect.Slice {
			return failed
		}
		target.Set(reflect.MakeSlice(target.Type(), value.Len(), value.Len()))
		for index := range value.Len() {
			if err := assignValue(target.Index(index), value.Index(index)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Map, reflect.Struct:
		return assignEntries(target, value, failed)
	default:
		return failed
	}
}"#
    AssignEntries "assignEntries" r#"// assignEntries converts the entries of a map, or the fields of a struct, and stores them.
func assignEntries(target, value reflect.Value, failed error) error {
	entries, ok := plain(value.Interface()).(map[string]any)
	if !ok {
		if value.Kind() != reflect.Map {
			return failed
		}
		entries = map[string]any{}
		for _, key := range value.MapKeys() {
			entries[fmt.Sprint(key.Interface())] = value.MapIndex(key).Interface()
		}
	}
	if target.Kind() == reflect.Map {
		target.Set(reflect.MakeMap(target.Type()))
		for key, value := range entries {
			converted := reflect.New(target.Type().Elem()).Elem()
			if err := assignValue(converted, reflect.ValueOf(value)); err != nil {
				return err
			}
			target.SetMapIndex(reflect.ValueOf(key), converted)
		}
		return nil
	}
	for index := range target.NumField() {
		name := target.Type().Field(index).Tag.Get("pulumi")
		if value, ok := entries[name]; ok {
			if err := assignValue(target.Field(index), reflect.ValueOf(value)); err != nil {
				return err
			}
		}
	}
	return nil
}"#
    AssignSimple "assignSimple" r#"// assignSimple converts a text, number or bool, and stores it.
func assignSimple(target, value reflect.Value, failed error) error {
	var text string
	switch {
	case value.Kind() == reflect.String:
		text = value.String()
	case value.Kind() == reflect.Bool:
		text = strconv.FormatBool(value.Bool())
	case value.CanInt():
		text = strconv.FormatInt(value.Int(), 10)
	case value.CanFloat():
		text = strconv.FormatFloat(value.Float(), 'f', -1, 64)
	default:
		return failed
	}
	switch target.Kind() {
	case reflect.String:
		target.SetString(text)
	case reflect.Bool:
		target.SetBool(text == "true")
	default:
		number, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return failed
		}
		if target.Kind() == reflect.Int {
			target.SetInt(int64(number))
		} else {
			target.SetFloat(number)
		}
	}
	return nil
}"#
    At "at" r#"// at returns an element of a list, an entry of a map, or a field of a struct.
func at(collection, key any) (any, error) {
	value := reflect.ValueOf(collection)
	for value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	if value.Kind() == reflect.Slice {
		index, err := to[int](key)
		if err != nil {
			return nil, err
		}
		if index < 0 || index >= value.Len() {
			return nil, fmt.Errorf("there is no element %d", index)
		}
		return value.Index(index).Interface(), nil
	}
	entries, err := to[map[string]any](collection)
	if err != nil {
		return nil, err
	}
	name, err := to[string](key)
	if err != nil {
		return nil, err
	}
	if value, ok := entries[name]; ok {
		return value, nil
	}
	return nil, fmt.Errorf("there is no entry %q", name)
}"#
    Can "can" r#"// can returns true if a function does not fail.
func can(function func() (any, error)) bool {
	_, err := try(function)
	return err == nil
}"#
    CanOutput "canOutput" r#"// canOutput returns true, once that is known, if a function gives an output that does not fail.
func canOutput(ctx *pulumi.Context, function func() (pulumi.Output, error)) pulumi.BoolOutput {
	holds := func() (pulumi.Output, error) {
		output, err := function()
		if err != nil {
			return nil, err
		}
		return output.ApplyT(func(any) bool { return true }), nil
	}
	fails := func() (pulumi.Output, error) {
		return pulumi.Bool(false).ToBoolOutput(), nil
	}
	return tryOutput(ctx, holds, fails).ApplyT(to[bool]).(pulumi.BoolOutput)
}"#
    ConfigObject "configObject" r#"// configObject returns a function that reads structured configuration.
func configObject[T any](cfg *config.Config) func(string) (T, error) {
	return func(key string) (T, error) {
		var value T
		err := cfg.TryObject(key, &value)
		return value, err
	}
}"#
    Configured "configured" r#"// configured returns the configuration with a key, or a default if there is none.
func configured[T any](read func(string) (T, error), key string, otherwise T) (T, error) {
	value, err := read(key)
	if errors.Is(err, config.ErrMissingVar) {
		return otherwise, nil
	}
	return value, err
}"#
    CountCharacters "countCharacters" r#"// countCharacters returns the number of characters of a text, as people count them.
func countCharacters(text string) int {
	count, flags := 0, 0
	var before rune
	for _, character := range text {
		isFlag := character >= 0x1f1e6 && character <= 0x1f1ff
		if isFlag {
			flags++
		} else {
			flags = 0
		}
		isPart := unicode.Is(unicode.M, character) ||
			character >= 0x1f3fb && character <= 0x1f3ff ||
			character == 0x200d || before == 0x200d ||
			isFlag && flags%2 == 0 ||
			before == '\r' && character == '\n'
		if !isPart || before == 0 {
			count++
		}
		before = character
	}
	return count
}"#
    Element "element" r#"// element returns the element at an index, which counts on from the other end.
func element[T any](list []T, index int) (T, error) {
	if len(list) == 0 || index < 0 {
		var none T
		return none, fmt.Errorf("there is no element %d", index)
	}
	return list[index%len(list)], nil
}"#
    Entry "entry" r#"// entry returns an entry of a map, or fails if there is none.
func entry[T any](entries map[string]T, key string) (T, error) {
	value, ok := entries[key]
	if !ok {
		return value, fmt.Errorf("there is no entry %q", key)
	}
	return value, nil
}"#
    Equal "equal" r#"// equal returns true if two values are equal, whichever types of Go they have.
func equal(a, b any) bool {
	return reflect.DeepEqual(normal(a), normal(b))
}"#
    Lookup "lookup" r#"// lookup returns an entry of a map, or a default if there is none.
func lookup[T any](entries map[string]T, key string, otherwise T) T {
	if value, ok := entries[key]; ok {
		return value
	}
	return otherwise
}"#
    Normal "normal" r#"// normal returns a value with one type for all numbers, lists and maps.
func normal(value any) any {
	reflected := reflect.ValueOf(plain(value))
	switch {
	case !reflected.IsValid():
		return nil
	case reflected.CanInt():
		return float64(reflected.Int())
	case reflected.Kind() == reflect.String:
		return reflected.String()
	case reflected.Kind() == reflect.Slice:
		list := make([]any, reflected.Len())
		for index := range list {
			list[index] = normal(reflected.Index(index).Interface())
		}
		return list
	case reflected.Kind() == reflect.Map:
		entries := map[string]any{}
		for _, key := range reflected.MapKeys() {
			entries[key.String()] = normal(reflected.MapIndex(key).Interface())
		}
		return entries
	default:
		return reflected.Interface()
	}
}"#
    NotImplemented "notImplemented" r#"// notImplemented fails: the program was not translated completely.
func notImplemented[T any](message string) (T, error) {
	var none T
	return none, errors.New(message)
}"#
    Numbers "numbersBetween" r#"// numbersBetween returns the numbers from one to before another, up or down.
func numbersBetween[T int | float64](start, stop T) []T {
	numbers := []T{}
	for number := start; number < stop; number++ {
		numbers = append(numbers, number)
	}
	for number := start; number > stop; number-- {
		numbers = append(numbers, number)
	}
	return numbers
}"#
    Optional "optional" r#"// optional returns the configuration with a key, or nil if there is none.
func optional[T any](read func(string) (T, error), key string) (*T, error) {
	value, err := read(key)
	if errors.Is(err, config.ErrMissingVar) {
		return nil, nil
	}
	return &value, err
}"#
    OrNil "orNil" r#"// orNil returns what a pointer leads to, or nil.
func orNil[T any](pointer *T) any {
	if pointer == nil {
		return nil
	}
	return *pointer
}"#
    Pair "pair" r#"// pair is a key of a collection and its value.
type pair struct {
	key, value any
}"#
    Pairs "pairsOf" r#"// pairsOf returns the keys and values of a collection: in order, those of a map by key.
func pairsOf(collection any) ([]pair, error) {
	pairs := []pair{}
	value := reflect.ValueOf(collection)
	if value.Kind() == reflect.Slice {
		for index := range value.Len() {
			pairs = append(pairs, pair{index, value.Index(index).Interface()})
		}
		return pairs, nil
	}
	entries, err := to[map[string]any](collection)
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		pairs = append(pairs, pair{key, entries[key]})
	}
	return pairs, nil
}"#
    Plain "plain" r#"// plain returns a value of an SDK under the names that Pulumi knows.
func plain(value any) any {
	reflected := reflect.ValueOf(value)
	for reflected.Kind() == reflect.Pointer && !reflected.IsNil() {
		reflected = reflected.Elem()
	}
	switch reflected.Kind() {
	case reflect.Pointer, reflect.Invalid:
		return nil
	case reflect.Struct:
		entries := map[string]any{}
		for index := range reflected.NumField() {
			name := reflected.Type().Field(index).Tag.Get("pulumi")
			if field := reflected.Field(index); name != "" && field.CanInterface() {
				if part := plain(field.Interface()); part != nil {
					entries[name] = part
				}
			}
		}
		if len(entries) == 0 && reflected.NumField() > 0 {
			return value
		}
		return entries
	case reflect.Slice:
		if reflected.IsNil() {
			return nil
		}
		list := make([]any, reflected.Len())
		for index := range list {
			list[index] = plain(reflected.Index(index).Interface())
		}
		return list
	case reflect.Map:
		if reflected.IsNil() {
			return nil
		}
		entries := map[string]any{}
		for _, key := range reflected.MapKeys() {
			entries[key.String()] = plain(reflected.MapIndex(key).Interface())
		}
		return entries
	default:
		return reflected.Interface()
	}
}"#
    Present "present" r#"// present returns what a pointer leads to, or fails if it leads nowhere.
func present[T any](pointer *T) (T, error) {
	if pointer == nil {
		var none T
		return none, errors.New("the value is null")
	}
	return *pointer, nil
}"#
    Recover "recoverOutput" r#"// recoverOutput returns an output that takes another value if the first one fails.
func recoverOutput(ctx *pulumi.Context, output pulumi.Output, otherwise func(error) (any, error)) pulumi.AnyOutput {
	recovered, resolve, reject := ctx.NewOutput()
	go func() {
		_, err := internals.UnsafeAwaitOutput(ctx.Context(), output)
		if err == nil {
			resolve(output)
		} else if value, err := otherwise(err); err == nil {
			resolve(value)
		} else {
			reject(err)
		}
	}()
	return recovered.(pulumi.AnyOutput)
}"#
    SingleOrNone "singleOrNone" r#"// singleOrNone returns the only element of a list, if it has one.
func singleOrNone[T any](list []T) (*T, error) {
	switch len(list) {
	case 0:
		return nil, nil
	case 1:
		return &list[0], nil
	default:
		return nil, fmt.Errorf("expected at most one element, found %d", len(list))
	}
}"#
    SizeOf "sizeOf" r#"// sizeOf returns the number of elements of a collection, or of characters of a text.
func sizeOf(value any) int {
	reflected := reflect.ValueOf(plain(value))
	switch reflected.Kind() {
	case reflect.String:
		return countCharacters(reflected.String())
	case reflect.Slice, reflect.Map:
		return reflected.Len()
	default:
		return 0
	}
}"#
    To "to" r#"// to returns a value as one of another type, as Pulumi converts it.
func to[T any](value any) (T, error) {
	var result T
	err := assignValue(reflect.ValueOf(&result).Elem(), reflect.ValueOf(value))
	return result, err
}"#
    ToJson "toJSON" r#"// toJSON returns a value as JSON, in the form that Pulumi writes.
func toJSON(value any) (string, error) {
	text, err := json.Marshal(plain(value))
	return string(text), err
}"#
    Try "try" r#"// try returns the value of the first function that does not fail.
func try[T any](functions ...func() (T, error)) (result T, err error) {
	err = errors.New("every attempt failed")
	for _, function := range functions {
		func() {
			defer func() {
				if failure := recover(); failure != nil {
					err = fmt.Errorf("%v", failure)
				}
			}()
			result, err = function()
		}()
		if err == nil {
			return result, nil
		}
	}
	return result, err
}"#
    TryOutput "tryOutput" r#"// tryOutput returns the output of the first function that does not fail.
func tryOutput(ctx *pulumi.Context, functions ...func() (pulumi.Output, error)) pulumi.AnyOutput {
	result, resolve, reject := ctx.NewOutput()
	go func() {
		err := errors.New("every attempt failed")
		for _, function := range functions {
			var output pulumi.Output
			if output, err = try(function); err != nil {
				continue
			}
			if _, err = internals.UnsafeAwaitOutput(ctx.Context(), output); err == nil {
				resolve(output)
				return
			}
		}
		reject(err)
	}()
	return result.(pulumi.AnyOutput)
}"#
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A project has the helpers whose names its texts mention: a variable of that name would bring
    /// one that is never called.
    #[test]
    fn no_variable_of_a_helper_has_the_name_of_one() {
        let is_helper = |name: &&str| Helper::ALL.iter().any(|helper| helper.name() == *name);
        for helper in Helper::ALL {
            let declared = helper.text().lines().filter_map(|line| line.split_once(":="));
            for (names, _) in declared {
                let names = names.split(|letter: char| !letter.is_alphanumeric());
                assert_eq!(names.filter(is_helper).collect::<Vec<_>>(), [""; 0], "{helper:?}");
            }
        }
    }
}
