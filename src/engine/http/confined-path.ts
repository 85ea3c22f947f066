import { invalidInput } from "../../contracts/fault.ts";

declare const confined: unique symbol;
/** A path that was looked at and cannot lead out of the base address that it is appended to. */
export type ConfinedPath = string & { readonly [confined]: true };

const refuse = (message: string) => invalidInput({ path: ["path"], message });

/** Nothing but plain segments, none of which is `.` or `..`: most paths. */
const PLAIN = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~!$&'()*+,=:@-]*)*$/;
/** What a request's path may be written with, by RFC 3986, and the characters that browsers leave as they are. */
const WRITABLE = /^[\w./~!$&'()*+,;=:@%|^"`{}[\]-]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;
/** Encoded in more layers than this, a path is a trick. */
const MOST_LAYERS = 4;

/** Whether a server might read one of the segments as a way up or in place, parameters (`..;x`) and spaces left aside. */
const hasDotSegment = (path: string) => path.split(/[/\\]/).some((segment) => /^\.{1,2}\s*(?:;|$)/.test(segment));

/** Whether a server might read it as the address of another host. */
const namesHost = (path: string) => /^[/\\]{2}/.test(path);

/** Whether it is UTF-8, percent-encoded: an overlong form of a dot is not. */
function isWellEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** One layer of encoding taken off as a lenient server would do it: what is not well encoded stays as it is. */
const decoded = (path: string) =>
  path.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    }
  });

/**
 * Takes a path as a client wrote it, to be appended to a base address to the letter. One that any server could read as
 * leading elsewhere is refused, in whatever way and how often it is encoded.
 */
export function confine(path: string): ConfinedPath {
  if (path !== "" && !path.startsWith("/")) throw refuse("must begin with a slash");
  if (namesHost(path)) throw refuse("must not begin with two slashes");
  if (PLAIN.test(path)) return path as ConfinedPath;
  if (!WRITABLE.test(path)) throw refuse("holds a character that must be percent-encoded");
  if (!isWellEncoded(path)) throw refuse("is not well encoded");
  let layer = path;
  for (let layers = 0; layers < MOST_LAYERS; layers++) {
    // A sign that some servers fold into a dot or a slash counts as one: the full-width ones, the two-dot leader.
    const read = layer.normalize("NFKC");
    if (hasDotSegment(read) || namesHost(read)) throw refuse("must not hold `.` or `..` as a part");
    const inner = decoded(layer);
    if (inner === layer) return path as ConfinedPath;
    if (CONTROL.test(inner)) throw refuse("must not hold control characters");
    layer = inner;
  }
  throw refuse("is encoded too many times");
}
