import {
  type Context,
  type CustomFieldSource,
  chosen,
  customProblem,
  type DescribedField,
  get,
  pointerTo,
  utcDay,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";

// Only the fields that are read.
interface PipedriveField {
  field_name: string;
  /** 40 hexadecimal digits. */
  field_code: string;
  field_type: string;
  is_custom_field: boolean;
  options?: { id: number; label: string }[] | null;
}
interface FieldPage {
  data: PipedriveField[];
  additional_data?: { next_cursor?: string | null } | null;
}

/** https://pipedrive.readme.io/docs/core-api-concepts-custom-fields */
const TYPES: Record<string, DescribedField["type"]> = {
  varchar: "string",
  varchar_auto: "string",
  text: "string",
  phone: "string",
  address: "string",
  time: "string",
  enum: "string",
  user: "string",
  org: "string",
  people: "string",
  int: "number",
  double: "number",
  monetary: "number",
  date: "date",
  set: "strings",
};

function toField({ field_name, field_code, field_type, options }: PipedriveField): DescribedField {
  return {
    // The amount, which has a currency beside it.
    path: pointerTo("custom_fields", field_code, ...(field_type === "monetary" ? ["value"] : [])),
    label: field_name,
    type: TYPES[field_type] ?? null,
    custom: true,
    kind: field_type,
    ...(options && { choices: options.map(({ id, label }) => ({ id: String(id), label })) }),
  };
}

/** The people and organizations that a field can name have numbers. */
const LINKS = ["user", "org", "people"];

function toValue(field: WrittenField): unknown {
  const { value, described } = field;
  const { kind = "", choices } = described ?? {};
  if (value === null) return null;
  if (kind === "monetary")
    throw customProblem(field, "needs a currency: send the amount in `provider`, with `custom_fields`");
  if (choices) {
    const ids = [value].flat().map((one) => Number(chosen(field, String(one)).id));
    // An empty list is refused.
    return kind !== "set" ? ids[0] : ids.length > 0 ? ids : null;
  }
  if (kind === "date") return utcDay(String(value));
  if (kind === "address" || kind === "time") return { value };
  return LINKS.includes(kind) ? Number(value) : value;
}

/** Options have their names only if these are asked for. */
export const withLabels = ({ select }: Pick<Context, "select">) =>
  select.length > 0 ? { include_option_labels: true } : {};

/** Items have all custom fields, by the hashes that name them. */
export const customFields = (kind: "person" | "organization" | "deal"): CustomFieldSource => ({
  async describe({ upstream }) {
    const fields: PipedriveField[] = [];
    let cursor: string | null | undefined;
    do {
      const paging = cursor ? { limit: 500, cursor } : { limit: 500 };
      const { body } = await upstream<FieldPage>(get(`/${kind}Fields`, paging));
      fields.push(...body.data.filter(({ is_custom_field }) => is_custom_field));
      cursor = body.additional_data?.next_cursor;
    } while (cursor);
    return fields.map(toField);
  },
  write: (fields) => ({ custom_fields: writeTo(fields, ["custom_fields"], toValue) }),
});
