import {
  type CustomFieldSource,
  chosen,
  customProblem,
  type DescribedField,
  fieldNames,
  pointerTo,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";
import { listColumns } from "./boards.ts";
import { type Column, chooseColumns, labelsOf, type MondayValue, titled } from "./columns.ts";

/** https://developer.monday.com/api-reference/reference/column-types-reference */
const TYPES: Record<string, DescribedField["type"]> = {
  text: "string",
  long_text: "string",
  status: "string",
  numbers: "number",
  rating: "number",
  checkbox: "boolean",
  date: "date",
  dropdown: "strings",
  tags: "strings",
  people: "strings",
  link: "string",
  email: "string",
  phone: "string",
  country: "string",
  location: "string",
  timeline: "string",
  item_id: "string",
};

/** The variables of a query that reads items: which columns are asked for besides those of a task. */
export function columnVariables(select: readonly string[]): { columns?: string[]; has_columns?: true } {
  const columns = fieldNames(select, "custom_values");
  return columns.length > 0 ? { columns, has_columns: true } : {};
}

function toField(column: Column, custom: boolean): DescribedField {
  const choices = column.type === "status" || column.type === "dropdown" ? labelsOf(column) : undefined;
  return {
    path: pointerTo("custom_values", column.id),
    label: column.title,
    type: TYPES[column.type] ?? null,
    custom,
    kind: column.type,
    ...(choices && { choices: choices.map((label) => ({ id: label, label })) }),
  };
}

/** Only the text has the names of people, with commas between them. */
const namesIn = ({ text, persons_and_teams: entities }: MondayValue): string[] | null => {
  if (!text) return null;
  const names = text.split(", ");
  return names.length === entities?.length ? names : [text];
};

function valueIn(value: MondayValue): unknown {
  switch (value.type) {
    case "status":
      return value.label;
    case "numbers":
      return value.number;
    case "rating":
      return value.rating;
    case "checkbox":
      // An empty one is not checked.
      return value.checked ?? false;
    case "date":
      return value.date && value.time ? `${value.date}T${value.time}Z` : value.date;
    case "dropdown":
      return value.values;
    case "tags":
      return value.tags;
    case "people":
      return namesIn(value);
    case "link":
      return value.url ?? value.text;
    default:
      return value.text;
  }
}

const several = ({ value }: WrittenField): string[] => (value === null ? [] : [value].flat().map(String));

function dateValue(time: string): object {
  if (time.length === 10) return { date: time };
  const [date, clock] = new Date(time).toISOString().split("T") as [string, string];
  return { date, time: clock.slice(0, 8) };
}

/** What is written to a column, by its type. Null empties every column. */
const WRITERS: Record<string, (field: WrittenField) => unknown> = {
  text: ({ value }) => value,
  long_text: ({ value }) => ({ text: value }),
  numbers: ({ value }) => String(value),
  rating: ({ value }) => ({ rating: value }),
  status: (field) => ({ label: chosen(field, String(field.value)).label }),
  dropdown: (field) => ({ labels: several(field).map((name) => chosen(field, name).label) }),
  checkbox: ({ value }) => (value ? { checked: "true" } : null),
  date: ({ value }) => dateValue(String(value)),
  link: ({ value }) => ({ url: value, text: value }),
  email: ({ value }) => ({ email: value, text: value }),
};

/** The values of columns, by their IDs, for the custom fields of a write. */
export function customValues(written: readonly WrittenField[], columns: readonly Column[]): Record<string, unknown> {
  const known = new Map(columns.map((column) => [pointerTo("custom_values", column.id), column]));
  return writeTo(written, ["custom_values"], (field) => {
    const column = known.get(field.path);
    if (!column) throw customProblem(field, "cannot be set: the board has no such column");
    const write = WRITERS[column.type];
    if (!write) throw customProblem(field, `cannot be written: it is a column of the type ${column.type}`);
    return field.value === null ? null : write({ ...field, described: toField(column, true) });
  });
}

/** Every board has columns of its own. Those that are fields of a task are not offered as custom ones. */
export const customFields: CustomFieldSource = {
  named: { "/custom_values": { key: "id", value: valueIn } },
  async describe({ upstream }) {
    const found = new Map<string, DescribedField>();
    for (const columns of await listColumns(upstream)) {
      const own = new Set<Column | undefined>(Object.values(chooseColumns(columns, titled)));
      for (const column of columns)
        if (TYPES[column.type] && !found.has(column.id)) found.set(column.id, toField(column, !own.has(column)));
    }
    return [...found.values()];
  },
  writesItself: true,
};
