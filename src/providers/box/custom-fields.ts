import {
  type CustomFieldSource,
  type DescribedField,
  fieldNames,
  get,
  ProviderFailure,
  pointerTo,
  type Upstream,
} from "../../provider-kit/index.ts";
import { FIELDS } from "./records.ts";

// Only the fields that are read.
interface Template {
  /** `enterprise_` and a number. */
  scope: string;
  templateKey: string;
  fields?: { type: string; key: string; displayName: string }[];
}
interface TemplatePage {
  entries: Template[];
  next_marker?: string | null;
}

/** https://developer.box.com/guides/metadata/fields */
const TYPES: Record<string, DescribedField["type"]> = {
  string: "string",
  float: "number",
  integer: "number",
  date: "date",
  enum: "string",
  multiSelect: "strings",
};

/** What is asked for of an item: its own fields, and the metadata of each template that a custom field is in. */
export function fieldsFor(select: readonly string[]): string {
  const templates = fieldNames(select, "metadata").flatMap((scope) =>
    fieldNames(select, "metadata", scope).map((template) => `metadata.${scope}.${template}`),
  );
  return [FIELDS, ...templates].join(",");
}

async function readTemplates(upstream: Upstream): Promise<Template[]> {
  const found: Template[] = [];
  let marker: string | null | undefined;
  do {
    const request = get("/metadata_templates/enterprise", { limit: 1_000, marker: marker || undefined });
    const { body }: { body: TemplatePage } = await upstream<TemplatePage>(request);
    found.push(...body.entries);
    marker = body.next_marker;
  } while (marker);
  return found;
}

const toFields = ({ scope, templateKey, fields = [] }: Template): DescribedField[] =>
  fields.map(({ key, type, displayName }) => ({
    path: pointerTo("metadata", scope, templateKey, key),
    label: displayName,
    type: TYPES[type] ?? null,
    custom: true,
  }));

/** The metadata of files and folders, by the templates of the enterprise. An upload cannot set any. */
export const customFields: CustomFieldSource = {
  // A personal account has no templates, and says so with an error.
  async describe({ upstream }) {
    const templates = await readTemplates(upstream).catch((error: unknown) => {
      if (error instanceof ProviderFailure && error.status === 403) return [];
      throw error;
    });
    return templates.flatMap(toFields);
  },
  // What Box does about a template that does not exist is not documented.
  asksOnlyForKnown: true,
};
