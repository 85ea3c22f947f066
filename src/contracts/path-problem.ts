/** Only plain segments, none of which is `.` or `..`: most paths. */
const PLAIN = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~!$&'()*+,=:@-]*)*$/;
/** The characters a request path may contain by RFC 3986, and those that browsers leave unencoded. */
const ALLOWED_CHARACTERS = /^[\w./~!$&'()*+,;=:@%|^"`{}[\]-]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f]/;
/** A path that is encoded more often than this is a trick. */
const MAX_ENCODING_LAYERS = 4;

/** Whether a server might read a segment as `.` or `..`, ignoring parameters (`..;x`) and spaces after it. */
const hasDotSegment = (path: string) => path.split(/[/\\]/).some((segment) => /^\.{1,2}\s*(?:;|$)/.test(segment));

/** Whether a server might read it as the address of another host. */
const namesHost = (path: string) => /^[/\\]{2}/.test(path);

/** Whether it is percent-encoded UTF-8; an overlong form of a dot is not. */
function isWellEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Removes one layer of encoding as a lenient server would: invalid sequences stay as they are. */
const decodeLayer = (path: string) =>
  path.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    }
  });

/**
 * Why a path must not be appended to a base address: any server might read it as leading elsewhere, however and how
 * often it is encoded. Undefined if it is safe.
 */
export function pathProblem(path: string): string | undefined {
  if (path !== "" && !path.startsWith("/")) return "must begin with a slash";
  if (namesHost(path)) return "must not begin with two slashes";
  if (PLAIN.test(path)) return undefined;
  if (!ALLOWED_CHARACTERS.test(path)) return "contains a character that must be percent-encoded";
  if (!isWellEncoded(path)) return "contains invalid percent-encoding";
  let layer = path;
  for (let layers = 0; layers < MAX_ENCODING_LAYERS; layers++) {
    // Some servers fold other characters into a dot or a slash: the full-width ones, the two-dot leader.
    const folded = layer.normalize("NFKC");
    if (hasDotSegment(folded) || namesHost(folded)) return "must not contain `.` or `..` path segments";
    const inner = decodeLayer(layer);
    if (inner === layer) return undefined;
    if (CONTROL_CHARACTERS.test(inner)) return "must not contain control characters";
    layer = inner;
  }
  return "is percent-encoded too many times";
}
