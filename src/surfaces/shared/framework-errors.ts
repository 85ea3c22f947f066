import { Fault, invalidInput } from "../../contracts/fault.ts";

interface FrameworkError {
  code?: string;
  statusCode?: number;
}

/** Messages for a body that could not be parsed. The parser's own message would quote the body. */
const bodyProblems: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "must be at most 512 kB",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "must be JSON, sent with Content-Type: application/json",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "must match its Content-Length",
  FST_ERR_CTP_EMPTY_JSON_BODY: "must not be empty",
};

/** Whether the router could not decode the path. */
export const isMalformedPath = (error: unknown): boolean =>
  ["FST_ERR_BAD_URL", "FST_ERR_MAX_PARAM_LENGTH"].includes((error as FrameworkError).code ?? "");

/** Returns our own faults unchanged and translates Fastify's errors. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (isMalformedPath(error)) return new Fault("not_found", "the path is malformed");
  const { code = "", statusCode = 500 } = error as FrameworkError;
  if (statusCode < 400 || statusCode >= 500) return new Fault("internal", "", { cause: error });
  return invalidInput({ path: ["body"], message: bodyProblems[code] ?? "must be valid JSON" });
}
