import type { FailureDetails } from "../contracts/entities.ts";
import { Fault, ProviderFailure } from "../contracts/fault.ts";
import { hideSecrets, secretsOf } from "../engine/index.ts";
import { splitUrl } from "../surfaces/shared/split-url.ts";
import type { Trace } from "../surfaces/shared/trace.ts";

const MAX_LENGTH = 2_048;
/** A secret that is cut off at the end would be hidden less well. */
const READ_LENGTH = 2 * MAX_LENGTH;
/** Parameters whose names do not say that they are secret. `request` is signed for one person at `/auth/oauth/consent`. */
const SECRET_PARAMETERS = new Set(["code", "state", "request", "key", "sig", "hapikey", "pass"]);

/** The first characters, without control characters, which no page could show. */
const shorten = (text: string) => text.slice(0, MAX_LENGTH).replace(/[^\P{Cc}\n\t]/gu, "");

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The query as it was sent, except for values that have to be hidden. */
function safeQuery(query: string, hide: (text: string) => string): string {
  return query
    .split("&")
    .map((parameter) => {
      const [name = "", ...values] = parameter.split("=");
      if (SECRET_PARAMETERS.has(name.toLowerCase())) return `${name}=***`;
      const value = decode(values.join("="));
      const shown = hide(value);
      return shown === value ? hide(parameter) : `${name}=${encodeURIComponent(shown)}`;
    })
    .join("&");
}

function detailOf(failure: Trace["failure"]): string | undefined {
  if (failure instanceof Fault) return failure.message;
  if (!failure) return undefined;
  const [retryAfter] = [failure.headers["retry-after"]].flat();
  const wait = retryAfter === undefined ? "" : `, and asks to wait (Retry-After: ${retryAfter})`;
  return `The provider answered ${failure.status}${wait}`;
}

/** The beginning of the provider's body. One that is cut inside a character ends before it. */
function bodyOf(failure: Trace["failure"]): string | undefined {
  if (!(failure instanceof ProviderFailure)) return undefined;
  const [encoding = "identity"] = [failure.headers["content-encoding"]].flat();
  if (encoding !== "identity") return `(compressed: ${encoding})`;
  return new TextDecoder().decode(failure.body.subarray(0, READ_LENGTH), { stream: true });
}

/** What is kept of a request that failed. Everything in it may quote credentials, which are hidden. */
export function failureDetails({ url, trace }: { url: string; trace: Trace }): FailureDetails {
  const secrets = trace.connection ? secretsOf(trace.connection, trace) : [];
  const hide = (text: string) => hideSecrets(text, secrets);
  const safe = (text: string | undefined, make = hide) => (text ? shorten(make(text.slice(0, READ_LENGTH))) : null);
  const [, query] = splitUrl(url);
  return {
    query: safe(query, (text) => safeQuery(text, hide)),
    detail: safe(detailOf(trace.failure)),
    provider_body: safe(bodyOf(trace.failure)),
  };
}
