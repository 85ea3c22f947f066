// Fields of modules, of which an organization can add its own: https://www.zoho.com/crm/developer/docs/api/v8/field-meta.html
import { customFields, customSample, type EmulatedRequest, reply } from "../../../emulator-kit/index.ts";

interface OwnField {
  label: string;
  data_type: string;
  json_type: string;
  choices?: readonly string[];
}

export const NOTE = "Account_Note";

const OWN: Record<string, OwnField> = {
  Tier: { data_type: "picklist", json_type: "string", ...customFields.tier },
  [NOTE]: { data_type: "text", json_type: "string", ...customFields.note },
  Score: { data_type: "double", json_type: "double", ...customFields.score },
  Renews_On: { data_type: "date", json_type: "string", ...customFields.renews_on },
  VIP: { data_type: "boolean", json_type: "boolean", ...customFields.is_vip },
  Interests: { data_type: "multiselectpicklist", json_type: "jsonarray", ...customFields.interests },
};
export const OWN_FIELDS = Object.keys(OWN);

const STANDARD: Record<string, string[]> = {
  Contacts: ["First_Name", "Last_Name", "Full_Name", "Email", "Phone"],
  Accounts: ["Account_Name", "Website", "Phone"],
  Deals: ["Deal_Name", "Stage"],
};

const field = (api_name: string, index: number, { label, data_type, json_type, choices = [] }: OwnField) => ({
  id: String(572_576_700_000_002_000n + BigInt(index)),
  api_name,
  field_label: label,
  display_label: label,
  data_type,
  json_type,
  custom_field: api_name in OWN,
  read_only: false,
  visible: true,
  length: 255,
  pick_list_values: choices.map((value, sequence_number) => ({
    display_value: value,
    sequence_number,
    actual_value: value,
    id: String(572_576_700_000_003_000n + BigInt(index * 10 + sequence_number)),
    type: "used",
  })),
});

export function listFields({ query }: EmulatedRequest) {
  const standard = STANDARD[query.get("module") ?? ""];
  if (!standard)
    return reply(400, {
      code: "INVALID_MODULE",
      details: {},
      message: "the module name given seems to be invalid",
      status: "error",
    });
  const text = (label: string): OwnField => ({ label, data_type: "text", json_type: "string" });
  return reply(200, {
    fields: [
      ...standard.map((name, index) => field(name, index, text(name.replaceAll("_", " ")))),
      ...Object.entries(OWN).map(([name, own], index) => field(name, 100 + index, own)),
    ],
  });
}

export function ownValues(index: number): Record<string, unknown> {
  const { tier, note, score, is_vip, renews_on, interests } = customSample(index);
  // A checkbox always has a value.
  const VIP = is_vip ?? false;
  return { Tier: tier, [NOTE]: note, Score: score, Renews_On: renews_on, VIP, Interests: interests };
}

const FORMATS: Record<string, (value: unknown) => boolean> = {
  double: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  multiselectpicklist: Array.isArray,
};

/** Whether a field of the organization takes this value. */
export function isValid(name: string, value: unknown): boolean {
  const { data_type, choices } = OWN[name]!;
  if (value === null) return true;
  if (choices && ![value].flat().every((one) => choices.includes(one as string))) return false;
  return FORMATS[data_type]?.(value) ?? typeof value === "string";
}
