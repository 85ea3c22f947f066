import {
  type CustomFieldSource,
  chosen,
  type DescribedField,
  fieldNames,
  get,
  ProviderFailure,
  path,
  pointerTo,
  type Upstream,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";
import { type AsanaPage, MAX_PAGE_SIZE, readWorkspaces } from "./workspaces.ts";

// Only the fields that are read.
interface Field {
  gid: string;
  name: string;
  type: string;
  enum_options?: { gid: string; name: string; enabled?: boolean }[];
}
interface FieldOfTask {
  gid: string;
  type: string;
  text_value?: string | null;
  number_value?: number | null;
  date_value?: { date?: string | null; date_time?: string | null } | null;
  enum_value?: { name: string } | null;
  multi_enum_values?: { name: string }[] | null;
  people_value?: { name: string }[] | null;
  display_value?: string | null;
}

/** https://developers.asana.com/docs/custom-fields-guide */
const TYPES: Record<string, DescribedField["type"]> = {
  text: "string",
  number: "number",
  enum: "string",
  multi_enum: "strings",
  date: "date",
  people: "strings",
};

const VALUE_FIELDS = [
  "type",
  "text_value",
  "number_value",
  "date_value.date",
  "date_value.date_time",
  "enum_value.name",
  "multi_enum_values.name",
  "people_value.name",
  "display_value",
];

/** What has to be asked for besides the fields of a task, if a custom field is declared. */
export const customFieldPaths = (select: readonly string[]): string =>
  fieldNames(select, "custom_fields").length > 0 ? VALUE_FIELDS.map((name) => `,custom_fields.${name}`).join("") : "";

const isPaidFor = (error: unknown) => error instanceof ProviderFailure && error.status === 402;

async function fieldsOf(workspace: string, upstream: Upstream): Promise<Field[]> {
  const found: Field[] = [];
  let offset: string | undefined;
  do {
    const { body }: { body: AsanaPage<Field> } = await upstream<AsanaPage<Field>>(
      get(path`/workspaces/${workspace}/custom_fields`, {
        opt_fields: "name,type,enum_options.name,enum_options.enabled",
        limit: MAX_PAGE_SIZE,
        offset,
      }),
    );
    found.push(...body.data);
    offset = body.next_page?.offset;
  } while (offset);
  return found;
}

const toField = ({ gid, name, type, enum_options }: Field): DescribedField => ({
  path: pointerTo("custom_fields", gid),
  label: name,
  type: TYPES[type] ?? null,
  custom: true,
  kind: type,
  ...(enum_options && {
    choices: enum_options.filter(({ enabled }) => enabled !== false).map((one) => ({ id: one.gid, label: one.name })),
  }),
});

function valueIn(field: FieldOfTask): unknown {
  switch (field.type) {
    case "text":
      return field.text_value;
    case "number":
      return field.number_value;
    case "enum":
      return field.enum_value;
    case "multi_enum":
      return field.multi_enum_values;
    case "date":
      return field.date_value?.date_time ?? field.date_value?.date;
    case "people":
      return field.people_value;
    default:
      return field.display_value;
  }
}

/** Options and people are written by their IDs: https://developers.asana.com/reference/updatetask */
function toValue(field: WrittenField): unknown {
  const { value, described } = field;
  const names = value === null ? [] : [value].flat().map(String);
  switch (described?.kind) {
    case "multi_enum":
      return names.map((name) => chosen(field, name).id);
    case "people":
      return names;
    case "enum":
      return names[0] === undefined ? null : chosen(field, names[0]).id;
    case "date":
      return names[0] === undefined ? null : names[0].length === 10 ? { date: names[0] } : { date_time: names[0] };
    default:
      return value;
  }
}

export const customFields: CustomFieldSource = {
  named: { "/custom_fields": { key: "gid", value: valueIn } },
  // A workspace that does not pay has no custom fields, and says so with an error.
  async describe({ upstream }) {
    const found: Field[] = [];
    for (const { id } of await readWorkspaces({ upstream }))
      found.push(
        ...(await fieldsOf(id, upstream).catch((error: unknown) => {
          if (isPaidFor(error)) return [];
          throw error;
        })),
      );
    return found.map(toField);
  },
  write: (fields) => ({ data: { custom_fields: writeTo(fields, ["custom_fields"], toValue) } }),
};
