// The entry for browsers and bundlers: call the default export and await it before anything else.
export { default, EXPORTS } from "./STEM.js";
