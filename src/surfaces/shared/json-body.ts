import type { FastifyInstance, FastifyRequest } from "fastify";
import { invalidInput } from "../../contracts/fault.ts";

/** Enough for the longest message, 40,000 characters, even if each is written as two `\uXXXX` escapes. */
export const MAX_BODY_BYTES = 512 * 1024;
/**
 * Validation takes longer per value than per byte: without these limits, half a megabyte of zeros would keep the
 * process busy for half a second.
 */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 64;

const tooComplex = () =>
  invalidInput({
    path: ["body"],
    message: `must be at most ${MAX_VALUES.toLocaleString("en")} values, nested at most ${MAX_DEPTH} levels deep`,
  });

/** Half of a pair of code units would reach a provider or the store as another character. The text may be a secret. */
const malformedText = (path: readonly string[]) =>
  invalidInput({
    path: ["body"],
    message: `must not have half of a character, as a text has that was cut in two: ${path.join(".") || "the text"}`,
  });

/** Where a text is that is not well-formed. */
function findMalformed(value: unknown): string[] | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : [];
  for (const [name, inner] of Object.entries(value ?? {})) {
    const found = findMalformed(inner);
    if (found) return [name, ...found];
  }
  return undefined;
}

/** Throws if a parsed body has more values than anybody needs. It looks at no more of them than are allowed. */
export function assertSimple(body: unknown): void {
  let left = MAX_VALUES;
  function visit(value: unknown, depth: number): void {
    if (--left < 0 || depth > MAX_DEPTH) throw tooComplex();
    if (typeof value === "string" && !value.isWellFormed()) throw malformedText(findMalformed(body)!);
    if (value === null || typeof value !== "object") return;
    const inner = Array.isArray(value) ? value : Object.values(value);
    if (inner.length > left) throw tooComplex();
    for (const one of inner) visit(one, depth + 1);
  }
  visit(body, 0);
}

interface JsonOptions {
  /** Whether a request may have the content type and no body, as many clients send with a DELETE. */
  allowEmpty?: boolean;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** As UTF-8, the only encoding of JSON: https://www.rfc-editor.org/rfc/rfc8259#section-8.1 */
function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidInput({ path: ["body"], message: "must be JSON in UTF-8, not compressed and in no other encoding" });
  }
}

/** Reads JSON bodies, and none that take long to validate. */
export function parseJsonBodies(app: FastifyInstance, { allowEmpty = false }: JsonOptions = {}): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser(["application/json", "text/plain"]);
  function read(request: FastifyRequest, bytes: Buffer): unknown {
    const text = decode(bytes);
    if (allowEmpty && text === "") return undefined;
    let body: unknown;
    parse(request, text, (error, parsed) => {
      if (error) throw error;
      body = parsed;
    });
    assertSimple(body);
    return body;
  }
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
    let body: unknown;
    try {
      body = read(request, bytes);
    } catch (problem) {
      return done(problem as Error);
    }
    done(null, body);
  });
}
