import { Fault, ProviderFailure } from "../../contracts/fault.ts";
import { UNUSABLE_KEY } from "./issue-token.ts";
import { providerReason } from "./safe-provider-message.ts";
import { GrantRefused } from "./token-answer.ts";
import { NoToken } from "./token-request.ts";

/** Statuses that may be about the credentials; others come from a wrong address or path. */
const REFUSALS = [400, 401, 403];

/** The account could not be connected. `error` is a code of RFC 6749, 4.1.2.1; the message can be shown to the user. */
export class NotConnected extends Error {
  readonly error: string;
  /** Whether other credentials may help. */
  readonly isRefusal: boolean;
  /** `status` is what the provider answered, if it did. */
  constructor(error: string, message: string, status?: number) {
    super(message);
    this.isRefusal = status === undefined ? error === "access_denied" : REFUSALS.includes(status);
    this.name = "NotConnected";
    this.error = error;
  }
}

/** Turns every failure of the provider into an error that can be shown to the user. */
export async function withUserMessages<Result>(
  name: string,
  secrets: readonly (string | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toUserError(name, secrets, error);
  }
}

function toUserError(name: string, secrets: readonly (string | undefined)[], error: unknown): unknown {
  if (error instanceof GrantRefused && error.code === UNUSABLE_KEY)
    return new NotConnected("access_denied", sentence(error.message.slice(UNUSABLE_KEY.length + 2)));
  if (error instanceof GrantRefused) return new NotConnected("access_denied", `${name} refused: ${error.message}`);
  if (error instanceof ProviderFailure) {
    const reason = providerReason(parse(error.body), secrets);
    if (error.status === 429 || error.status >= 500) return unavailable(name);
    return new NotConnected(
      "access_denied",
      `${name} refused${reason ? `: ${reason}` : ` with status ${error.status}`}`,
      error.status,
    );
  }
  if (!(error instanceof Fault)) return error;
  if (error instanceof NoToken) return new NotConnected("server_error", sentence(error.message), error.status);
  if (error.kind === "refresh_unavailable") return new NotConnected("server_error", sentence(error.message));
  if (error.kind === "upstream_forbidden" || error.kind === "upstream_malformed")
    return new NotConnected("server_error", `${name} could not be called: ${error.message}`);
  if (error.kind.startsWith("upstream_") || error.kind === "overloaded") return unavailable(name);
  return error;
}

const unavailable = (name: string) =>
  new NotConnected("temporarily_unavailable", `${name} is temporarily unavailable. Please try again.`);

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function parse(body: Buffer): unknown {
  const text = body.toString();
  try {
    return JSON.parse(text);
  } catch {
    // An HTML page is not a reason.
    return text.includes("<") ? undefined : text;
  }
}
