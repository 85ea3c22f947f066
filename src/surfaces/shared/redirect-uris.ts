import { isLoopback } from "../../contracts/network.ts";

/** Schemes that a browser executes or opens itself instead of passing them to an application. */
const UNSAFE_SCHEMES = ["javascript:", "data:", "vbscript:", "file:", "blob:", "about:", "filesystem:", "ws:", "wss:"];

/** Why an address cannot be opened in a browser with what must not be read on the way, or undefined. */
export function pageProblem(address: string): string | undefined {
  const url = /[\s\p{Cc}]/u.test(address) ? null : URL.parse(address);
  const secure = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (!secure) return "Must be an https address, or http on this machine (127.0.0.1 or localhost)";
  return url.username || url.password ? "Must not contain a user name or password" : undefined;
}

/** Why a URI cannot be registered for redirects, or undefined. */
export function redirectProblem(uri: string): string | undefined {
  // URL parsing drops white space, but a redirect_uri is compared exactly.
  const url = /[\s\p{Cc}]/u.test(uri) ? null : URL.parse(uri);
  if (!url) return "Must be an absolute URL, such as https://example.com/callback or com.example.app:/callback";
  if (UNSAFE_SCHEMES.includes(url.protocol)) return `Must not be a ${url.protocol} URL`;
  if (uri.includes("#")) return "Must not have a fragment";
  if (url.username || url.password) return "Must not contain a user name or password";
  return undefined;
}
