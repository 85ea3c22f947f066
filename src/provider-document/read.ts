import type { ErrorObject, ValidateFunction } from "ajv";
import type { Problem } from "../contracts/fault.ts";
import type { Provider, ProviderOrigin } from "../contracts/provider.ts";
import { likelyName } from "../runtime/likely-name.ts";
import { documentProblems } from "./check.ts";
import { ProviderDocument } from "./schema.ts";
import { toManifest } from "./to-manifest.ts";

let validate: ValidateFunction<ProviderDocument> | undefined;

/** Checks a document: everything that is wrong with it, or nothing. */
export async function checkDocument(document: unknown): Promise<Problem[]> {
  // Loaded with the first document, because most processes never check one.
  validate ??= new (await import("ajv")).Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
  }).compile<ProviderDocument>(ProviderDocument);
  if (validate(document)) return documentProblems(document);
  // What is wrong with a property's name is reported twice.
  return validate.errors!.filter(({ keyword }) => keyword !== "propertyNames").map(toProblem);
}

function toProblem({ instancePath, keyword, message = "is invalid", params, parentSchema, propertyName }: ErrorObject) {
  // RFC 6901.
  const path = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const known = Object.keys((parentSchema as { properties?: object }).properties ?? {});
  const fields = known.join(", ");
  if (propertyName !== undefined) return { path: [...path, propertyName], message: `is a name that ${message}` };
  if (keyword === "required") return { path: [...path, params.missingProperty as string], message: "is required" };
  if (keyword === "additionalProperties") {
    const name = params.additionalProperty as string;
    const likely = likelyName(name, known);
    const message = `is unknown; ${likely ? `did you mean ${likely}? Known` : "known"} fields: ${fields}`;
    return { path: [...path, name], message };
  }
  if (keyword === "minProperties") return { path, message: `must have at least one of ${fields}` };
  if (keyword === "enum") return { path, message: `must be one of ${params.allowedValues.join(", ")}` };
  return { path, message };
}

/** The provider of a document that was checked. */
export const toProvider = (document: ProviderDocument, origin: ProviderOrigin): Provider => ({
  manifest: toManifest(document),
  categories: [],
  origin,
  document,
});
