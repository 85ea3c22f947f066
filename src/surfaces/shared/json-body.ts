import type { FastifyInstance } from "fastify";
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

/** Throws if a parsed body has more values than anybody needs. It looks at no more of them than are allowed. */
export function assertSimple(body: unknown): void {
  let left = MAX_VALUES;
  function visit(value: unknown, depth: number): void {
    if (--left < 0 || depth > MAX_DEPTH) throw tooComplex();
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

/** Reads JSON bodies, and none that take long to validate. */
export function parseJsonBodies(app: FastifyInstance, { allowEmpty = false }: JsonOptions = {}): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, text, done) => {
    if (allowEmpty && text === "") return done(null, undefined);
    parse(request, text, (error: Error | null, body?: unknown) => {
      if (error) return done(error);
      try {
        assertSimple(body);
      } catch (problem) {
        return done(problem as Error);
      }
      done(null, body);
    });
  });
}
