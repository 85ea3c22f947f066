import { recordFields } from "../../categories/record-names.ts";
import { invalidInput, type Problem } from "../../contracts/fault.ts";
import { pointerParts } from "../../contracts/json-pointer.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import { likelyName } from "../../runtime/likely-name.ts";

const MAX_PARTS = 20;
/** No provider has a field of such a name, and code that is not careful would find something. */
const RESERVED = ["__proto__", "constructor", "prototype"];

function pointerProblem(pointer: string): string | undefined {
  if (!/^(?:\/(?:[^~]|~[01])*)+$/.test(pointer)) return "must be a JSON Pointer, such as /properties/tier";
  const parts = pointerParts(pointer);
  if (parts.length > MAX_PARTS) return `must have at most ${MAX_PARTS} parts`;
  const reserved = parts.find((part) => RESERVED.includes(part));
  return reserved && `must not lead through ${reserved}`;
}

const unknown = (kind: string, name: string, known: Iterable<string>, where: string) => {
  const likely = likelyName(name, known);
  return `There is no ${kind} ${name}${likely ? `: did you mean ${likely}?` : `; ${where}`}`;
};

/** A check of custom fields by the table of operations and the providers of the workspace. */
export function createCustomFieldCheck(operations: readonly BoundOperation[]) {
  const records = new Set(recordFields(operations).keys());
  return (
    { record, paths }: { record: string; paths: Record<string, string> },
    providers: ReadonlySet<string>,
  ): void => {
    const problems: Problem[] = [];
    if (!records.has(record))
      problems.push({
        path: ["record"],
        message: unknown("record", record, records, "records are named like crm.contact"),
      });
    for (const [provider, pointer] of Object.entries(paths)) {
      const message = providers.has(provider)
        ? pointerProblem(pointer)
        : unknown("provider", provider, providers, "see GET /platform/v1/providers");
      if (message) problems.push({ path: ["paths", provider], message });
    }
    if (problems.length > 0) throw invalidInput(...problems);
  };
}
