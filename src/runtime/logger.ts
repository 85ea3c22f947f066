import pino, { type DestinationStream, type Logger } from "pino";

export type { Logger };

/** Names whose values are never logged, at any depth. */
const SECRET_NAME =
  /authorization|cookie|api.?key|token|secret|password|passphrase|credential|code.?verifier|encryption.?key/i;
/** Secrets that are recognizable in any text: Plugboard's own API keys and HTTP credentials. */
const SECRET_VALUE = /\bsk_[A-Za-z0-9]{48}\b|\b(?:Bearer|Basic) +[A-Za-z0-9._~+/-]{8,}=*/gi;
const HIDDEN = "[hidden]";
const MAX_DEPTH = 6;

/** Of a logger and of those that are made from it. */
const COPIES = Symbol("copies");
interface Copies {
  write?: ((line: string) => void) | undefined;
}

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const copies: Copies = {};
  const log = pino(
    {
      level,
      base: undefined,
      formatters: { level: (label) => ({ level: label }), log: (details) => hide(details) as Record<string, unknown> },
      serializers: { err: describeError, error: describeError },
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        streamWrite(line) {
          const shown = line.replace(SECRET_VALUE, HIDDEN);
          copies.write?.(shown);
          return shown;
        },
      },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
  return Object.assign(log, { [COPIES]: copies });
}

/** Passes every line that is logged to `write` as well, until it is undefined. */
export function copyLogTo(log: Logger, write: Copies["write"]): void {
  (log as Logger & { [COPIES]: Copies })[COPIES].write = write;
}

/** For one of several processes that write to the same output. */
export const createWorkerLogger = (level: string): Logger => createLogger(level).child({ pid: process.pid });

/** The same logger, for what is logged at every level but `silent`: that the service is ready. */
export const createStartLogger = (log: Logger): Logger =>
  log.level === "silent" ? log : log.child({}, { level: "info" });

function hide(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== "object" || value instanceof Error) return value;
  if (depth === MAX_DEPTH) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => hide(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, SECRET_NAME.test(name) ? HIDDEN : hide(inner, depth + 1)]),
  );
}

/**
 * Only an error's name, message, code, stack and causes: database drivers and HTTP clients attach the statement, its
 * values or the whole request to their errors.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === "object" ? hide(error) : String(error);
  return {
    type: error.name,
    message: error.message,
    code: (error as { code?: unknown }).code,
    stack: error.stack,
    ...(error.cause === undefined || depth === MAX_DEPTH ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}
