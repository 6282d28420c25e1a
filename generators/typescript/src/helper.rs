//! Functions that generated modules contain where Node.js and Pulumi's SDK have no counterpart of a
//! function of the language.

macro_rules! helpers {
    ($($name:ident $function:literal $text:literal)*) => {
        /// A function that a module contains if it uses it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Helper {
            $($name,)*
        }

        impl Helper {
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name of the function.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $function,)* }
            }

            /// Its text, with comment.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

helpers! {
    At "at" "\
/** Returns an element, or fails if there is none. */
function at<T>(list: T[], index: number): T;
function at<T>(map: Record<string, T>, key: string): T;
function at(collection: object, key: string | number): any;
function at(collection: any, key: string | number): any {
  if (!Object.hasOwn(collection, key)) {
    throw new Error(`there is no element ${key}`);
  }
  return collection[key];
}"
    Attempt "attempt" "\
/** Returns the value of the first function that does not fail. */
function attempt<T>(...functions: Array<() => T>): T {
  for (const value of functions) {
    try {
      return value();
    } catch {
      // The next one is tried.
    }
  }
  throw new Error(\"every attempt failed\");
}"
    AttemptOutput "attemptOutput" "\
/** Returns the output of the first function that does not fail. */
function attemptOutput<T>(...functions: Array<() => any>): pulumi.Output<T> {
  const [first, ...others] = functions;
  if (first === undefined) {
    throw new Error(\"every attempt failed\");
  }
  const next = () => attemptOutput<any>(...others);
  try {
    return pulumi.recover<any>(pulumi.output(first()), next) as any;
  } catch {
    return next() as any;
  }
}"
    Can "can" "\
/** Returns true if a function does not fail. */
function can(value: () => unknown): boolean {
  try {
    value();
    return true;
  } catch {
    return false;
  }
}"
    CanOutput "canOutput" "\
/** Returns true if a function gives an output that does not fail. */
function canOutput(value: () => any): pulumi.Output<boolean> {
  try {
    const succeeded = pulumi.output(value()).apply(() => true);
    return pulumi.recover<boolean>(succeeded, () => false);
  } catch {
    return pulumi.output(false);
  }
}"
    CountCharacters "countCharacters" "\
/** Returns the number of characters of a text, as people count them. */
function countCharacters(text: string): number {
  return [...new Intl.Segmenter().segment(text)].length;
}"
    Element "element" "\
/** Returns the element at an index, which counts on from the other end. */
function element<T>(list: T[], index: number): T {
  return list[((index % list.length) + list.length) % list.length];
}"
    GroupValues "groupValues" "\
/** Returns the values of each key. */
function groupValues<T>(pairs: Array<[PropertyKey, T]>): Record<string, T[]> {
  const groups: Record<string, T[]> = {};
  for (const [key, value] of pairs) {
    (groups[String(key)] ??= []).push(value);
  }
  return groups;
}"
    Integers "integers" "\
/** Returns the integers from one to before another, up or down. */
function integers(from: number, to: number): number[] {
  const length = Math.ceil(Math.abs(to - from));
  const step = from > to ? -1 : 1;
  return Array.from({ length }, (_, index) => from + step * index);
}"
    Lookup "lookup" "\
/** Returns the value of a key, or another one if there is no such key. */
function lookup<T, U>(
  map: Record<string, T>,
  key: string,
  otherwise: U,
): T | U {
  return Object.hasOwn(map, key) ? map[key] : otherwise;
}"
    NotImplemented "notImplemented" "\
/** Fails: the program was not translated completely. */
function notImplemented(message: string): never {
  throw new Error(message);
}"
    SingleOrNone "singleOrNone" "\
/** Returns the only element of a list, if it has one. */
function singleOrNone<T>(list: T[]): T | undefined {
  if (list.length > 1) {
    throw new Error(`expected at most one element, found ${list.length}`);
  }
  return list[0];
}"
    SizeOf "sizeOf" "\
/** Returns the number of elements of a collection, or of characters of a text. */
function sizeOf(value: any): number {
  if (typeof value === \"string\") {
    return [...new Intl.Segmenter().segment(value)].length;
  }
  return Object.keys(value).length;
}"
    SortedEntries "sortedEntries" "\
/** Returns the entries of a map in the order of their keys. */
function sortedEntries<T>(map: Record<string, T>): Array<[string, T]>;
function sortedEntries(map: object): Array<[string, any]>;
function sortedEntries(map: object): Array<[string, any]> {
  return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
}"
    SortedKeys "sortedKeys" "\
/** Sorts the keys of objects for JSON, and writes null for what is missing. */
function sortedKeys(_: string, value: unknown): unknown {
  if (value === undefined || value === null || Array.isArray(value)) {
    return value ?? null;
  }
  if (typeof value !== \"object\") {
    return value;
  }
  const entries = Object.entries(value);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}"
    SortedValues "sortedValues" "\
/** Returns the values of a map in the order of their keys. */
function sortedValues<T>(map: Record<string, T>): T[];
function sortedValues(map: object): any[];
function sortedValues(map: object): any[] {
  return sortedEntries(map).map(([, value]) => value);
}"
}
