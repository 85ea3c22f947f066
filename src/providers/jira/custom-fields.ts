import {
  adfToMarkdown,
  type CustomFieldSource,
  customProblem,
  type DescribedField,
  get,
  markdownToAdf,
  pointerTo,
  utcDay,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";

// Only the fields that are read.
interface Field {
  id: string;
  name: string;
  custom?: boolean;
  /** Absent for a few of Jira's own fields. */
  schema?: { type: string; items?: string; custom?: string };
}

const PARAGRAPH = "com.atlassian.jira.plugin.system.customfieldtypes:textarea";

/** The type, or that of the entries with `[]`. A paragraph is a document, although its type says that it is a text. */
function kindOf({ type, items, custom }: NonNullable<Field["schema"]>): string {
  if (custom === PARAGRAPH) return "document";
  return type === "array" ? `${items}[]` : type;
}

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-fields/#api-rest-api-3-field-get */
const TYPES: Record<string, DescribedField["type"]> = {
  string: "string",
  document: "string",
  option: "string",
  "option-with-child": "string",
  user: "string",
  group: "string",
  version: "string",
  number: "number",
  date: "date",
  datetime: "date",
  "string[]": "strings",
  "option[]": "strings",
  "user[]": "strings",
  "group[]": "strings",
  "version[]": "strings",
};

/** What a value, or an entry of a list, is named by in a write. */
const NAMED_BY: Record<string, string> = {
  option: "value",
  "option-with-child": "value",
  user: "accountId",
  group: "name",
  version: "name",
};

function toField({ id, name, custom = false, schema }: Field): DescribedField {
  const kind = schema ? kindOf(schema) : "";
  return { path: pointerTo("fields", id), label: name, type: TYPES[kind] ?? null, custom, kind };
}

/** As Jira writes times: with an offset that has no colon. */
const jiraTime = (time: string) => new Date(time).toISOString().replace("Z", "+0000");

/** https://developer.atlassian.com/server/jira/platform/jira-rest-api-examples/#setting-custom-field-data-for-other-field-types */
function toValue(field: WrittenField): unknown {
  const { value, described: { kind = "" } = {} } = field;
  if (value === null) return null;
  if (kind === "document") return markdownToAdf(String(value));
  if (kind === "date" && typeof value === "string") return utcDay(value) ?? value;
  if (kind === "datetime" && typeof value === "string") return jiraTime(value);
  const namedBy = NAMED_BY[kind.replace("[]", "")];
  const named = (one: unknown) => (namedBy ? { [namedBy]: one } : one);
  if (!kind.endsWith("[]")) return named(value);
  if (!Array.isArray(value)) throw customProblem(field, "has several values at Jira: declare it with the type strings");
  return value.map(named);
}

const textOf = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  const { type, displayName = value } = value as { type?: unknown; displayName?: unknown };
  return type === "doc" ? adfToMarkdown(value) : displayName;
};

/** Every field of an issue can be read by its ID. Searches ask for those that are declared; unknown ones are ignored. */
export const customFields: CustomFieldSource = {
  async describe({ upstream }) {
    const { body } = await upstream<Field[]>(get("/field"));
    return body.map(toField);
  },
  convert: (value) => (Array.isArray(value) ? value.map(textOf) : textOf(value)),
  write: (fields) => ({ fields: writeTo(fields, ["fields"], toValue) }),
};
