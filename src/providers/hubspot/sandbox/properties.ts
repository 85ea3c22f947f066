// Properties, of which an account can add its own: https://developers.hubspot.com/docs/api-reference/crm-properties-v3/guide
import { customFields, customSample, type EmulatedRequest, reply } from "../../../emulator-kit/index.ts";
import { failure } from "./errors.ts";

const options = (labels: readonly string[]) =>
  labels.map((label, displayOrder) => ({ label, value: `option_${displayOrder}`, displayOrder, hidden: false }));

const OWN = {
  tier: { type: "enumeration", fieldType: "select", options: options(customFields.tier.choices) },
  note: { type: "string", fieldType: "text" },
  score: { type: "number", fieldType: "number" },
  is_vip: { type: "bool", fieldType: "booleancheckbox" },
  renews_on: { type: "date", fieldType: "date" },
  interests: { type: "enumeration", fieldType: "checkbox", options: options(customFields.interests.choices) },
};
export const OWN_PROPERTIES = Object.keys(OWN);

const STANDARD: Record<string, Record<string, string>> = {
  contacts: { email: "Email", firstname: "First Name", lastname: "Last Name", phone: "Phone Number" },
  companies: { name: "Company name", website: "Website URL", domain: "Company Domain Name", phone: "Phone Number" },
  deals: { dealname: "Deal Name", amount: "Amount", dealstage: "Deal Stage", closedate: "Close Date" },
};

const property = (name: string, label: string, rest: object) => ({
  updatedAt: "2026-01-10T09:00:00.000Z",
  createdAt: "2026-01-10T09:00:00.000Z",
  name,
  label,
  type: "string",
  fieldType: "text",
  description: "",
  groupName: "information",
  options: [],
  displayOrder: -1,
  calculated: false,
  externalOptions: false,
  hasUniqueValue: false,
  hidden: false,
  formField: true,
  modificationMetadata: { archivable: true, readOnlyDefinition: false, readOnlyValue: false },
  ...rest,
});

export function listProperties({ params }: EmulatedRequest) {
  const standard = STANDARD[params.kind!];
  if (!standard) return failure(400);
  return reply(200, {
    results: [
      ...Object.entries(standard).map(([name, label]) => property(name, label, { hubspotDefined: true })),
      ...Object.entries(OWN).map(([name, own]) =>
        property(name, customFields[name as keyof typeof OWN].label, { ...own, hubspotDefined: false }),
      ),
    ],
  });
}

const optionOf = (property: keyof typeof OWN, label: string) => {
  const { options: choices = [] } = OWN[property] as { options?: { label: string; value: string }[] };
  return choices.find((choice) => choice.label === label)!.value;
};

/** Values of the account's own properties: all are text. */
export function ownValues(index: number): Record<string, string | null> {
  const { tier, note, score, is_vip, renews_on, interests } = customSample(index);
  return {
    tier: tier && optionOf("tier", tier),
    note,
    score: score === null ? null : String(score),
    is_vip: is_vip === null ? null : String(is_vip),
    renews_on,
    interests: interests.length === 0 ? null : interests.map((label) => optionOf("interests", label)).join(";"),
  };
}
