import {
  type CustomFieldSource,
  chosen,
  customProblem,
  type DescribedField,
  pointerTo,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";
import { layoutOf, type NotionProperties, type NotionProperty } from "./layout.ts";
import { plainText, type RichText, richTextToMarkdown } from "./rich-text.ts";
import { readTrackers } from "./sources.ts";
import { markdownToRichText } from "./to-rich-text.ts";

/** https://developers.notion.com/reference/property-object */
const TYPES: Record<string, DescribedField["type"]> = {
  title: "string",
  rich_text: "string",
  number: "number",
  select: "string",
  status: "string",
  multi_select: "strings",
  checkbox: "boolean",
  date: "date",
  people: "strings",
  relation: "strings",
  url: "string",
  email: "string",
  phone_number: "string",
  created_time: "date",
  last_edited_time: "date",
  created_by: "string",
  last_edited_by: "string",
};

const optionsOf = ({ type, ...property }: NotionProperty) =>
  type === "status" || type === "select" ? (property[type]?.options ?? []) : undefined;

function toField(name: string, property: NotionProperty, custom = true): DescribedField {
  const choices = optionsOf(property)?.map((option) => ({ id: option.name, label: option.name }));
  return {
    path: pointerTo("properties", name),
    label: name,
    type: TYPES[property.type] ?? null,
    custom,
    kind: property.type,
    ...(choices && { choices }),
  };
}

const nameOf = ({ id, name }: { id: string; name?: string | null }) => name || id;

/** What the content of a property is read from, if it is not a value already. */
const READERS: Record<string, (content: never) => unknown> = {
  title: (texts: RichText[]) => plainText(texts),
  rich_text: (texts: RichText[]) => richTextToMarkdown(texts),
  date: ({ start }: { start?: string }) => start,
  people: (people: { id: string; name?: string | null }[]) => people.map(nameOf),
  relation: (pages: { id: string }[]) => pages.map(({ id }) => id),
  created_by: nameOf,
  last_edited_by: nameOf,
  unique_id: ({ prefix, number }: { prefix?: string | null; number: number }) =>
    prefix ? `${prefix}-${number}` : String(number),
  // The result of a formula has a type of its own.
  formula: (result: object) => valueOfProperty(result),
};

/** A property of a page has its content under the name of its type. */
function valueOfProperty(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value)) return value;
  const type = String(value.type);
  if (!Object.hasOwn(value, type)) return value;
  const content = (value as Record<string, unknown>)[type];
  return content === null || content === undefined ? null : (READERS[type]?.(content as never) ?? content);
}

const several = (field: WrittenField): string[] => (field.value === null ? [] : [field.value].flat().map(String));

/** What is written to a property, by its type. Others cannot be written. */
const WRITERS: Record<string, (field: WrittenField) => unknown> = {
  title: (field) => several(field).map((content) => ({ text: { content } })),
  rich_text: (field) => several(field).flatMap((text) => markdownToRichText(text)),
  number: ({ value }) => value,
  select: (field) => (field.value === null ? null : { name: chosen(field, String(field.value)).label }),
  status: (field) => (field.value === null ? null : { name: chosen(field, String(field.value)).label }),
  multi_select: (field) => several(field).map((name) => ({ name })),
  checkbox: ({ value }) => value ?? false,
  date: ({ value }) => (value === null ? null : { start: value }),
  people: (field) => several(field).map((id) => ({ id })),
  relation: (field) => several(field).map((id) => ({ id })),
  url: ({ value }) => value,
  email: ({ value }) => value,
  phone_number: ({ value }) => value,
};

/** The custom fields of a write as properties of the data source that the page is in. */
export const customProperties = (
  written: readonly WrittenField[],
  properties: NotionProperties,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(writeTo(written, ["properties"], (field) => field)).map(([name, field]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!property) throw customProblem(field as WrittenField, "cannot be set: the data source has no such property");
      const write = WRITERS[property.type];
      if (!write)
        throw customProblem(field as WrittenField, `cannot be written: it is a ${property.type}, which Notion fills`);
      return [name, { [property.type]: write({ ...(field as WrittenField), described: toField(name, property) }) }];
    }),
  );

/** Every data source has properties of its own. Those that are fields of a task are not offered as custom ones. */
export const customFields: CustomFieldSource = {
  async describe({ upstream }) {
    const found = new Map<string, DescribedField>();
    for (const { properties } of await readTrackers(upstream)) {
      const { categories: _, ...layout } = layoutOf(properties);
      const own = new Set<string | undefined>(Object.values(layout));
      for (const [name, property] of Object.entries(properties))
        if (!found.has(name) && TYPES[property.type]) found.set(name, toField(name, property, !own.has(name)));
    }
    return [...found.values()];
  },
  convert: valueOfProperty,
  writesItself: true,
};
