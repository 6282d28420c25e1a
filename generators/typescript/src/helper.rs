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
    Attempt "attempt" "\
/** Returns the value of the first function that has one. */
function attempt<T>(...functions: Array<() => T>): T {
  for (const value of functions) {
    try {
      const result = value();
      if (result !== undefined) {
        return result;
      }
    } catch {
      // The next one is tried.
    }
  }
  throw new Error(\"every attempt failed\");
}"
    AttemptOutput "attemptOutput" "\
/** Returns the output of the first function that has one. */
function attemptOutput(...functions: Array<() => any>): pulumi.Output<any> {
  const [first, ...others] = functions;
  if (first === undefined) {
    throw new Error(\"every attempt failed\");
  }
  const next = () => attemptOutput(...others);
  try {
    return pulumi
      .recover<any>(pulumi.output(first()), next)
      .apply((value: any) => (value === undefined ? next() : value));
  } catch {
    return next();
  }
}"
    Can "can" "\
/** Returns true if a function has a value. */
function can(value: () => unknown): boolean {
  try {
    return value() !== undefined;
  } catch {
    return false;
  }
}"
    CanOutput "canOutput" "\
/** Returns true if a function has an output. */
function canOutput(value: () => any): pulumi.Output<boolean> {
  try {
    const known = pulumi
      .output(value())
      .apply((value: any) => value !== undefined);
    return pulumi.recover<boolean>(known, () => false);
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
/** Returns the integers from one up to another, exclusive. */
function integers(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
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
}
