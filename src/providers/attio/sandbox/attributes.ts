// Attributes, of which a workspace can add its own: https://docs.attio.com/rest-api/endpoint-reference/attributes/list-attributes
import { customFields, customSample, type EmulatedRequest, reply } from "../../../emulator-kit/index.ts";
import { failure } from "./errors.ts";
import { type Moment, OBJECTS, type ObjectName, time, uuid, value, WORKSPACE } from "./values.ts";

interface OwnAttribute {
  type: string;
  label: string;
  choices?: readonly string[];
  isMultiple?: boolean;
}

const OWN: Record<string, OwnAttribute> = {
  tier: { type: "select", ...customFields.tier },
  note: { type: "text", ...customFields.note },
  score: { type: "number", ...customFields.score },
  is_vip: { type: "checkbox", ...customFields.is_vip },
  renews_on: { type: "date", ...customFields.renews_on },
  interests: { type: "select", isMultiple: true, ...customFields.interests },
};
const names = Object.keys(OWN);

const STANDARD: Record<ObjectName, Record<string, string>> = {
  people: {
    name: "personal-name",
    email_addresses: "email-address",
    phone_numbers: "phone-number",
    company: "record-reference",
  },
  companies: { name: "text", domains: "domain" },
  deals: { name: "text", stage: "status", value: "currency", associated_company: "record-reference" },
};
const MULTIPLE = ["email_addresses", "phone_numbers", "domains"];

const attributeId = (object: ObjectName, slug: string) => ({
  workspace_id: WORKSPACE,
  object_id: OBJECTS[object].id,
  attribute_id: uuid(50_000 + OBJECTS[object].first + slug.length + slug.charCodeAt(0) * 100),
});

const attribute = (object: ObjectName, api_slug: string, { type, label, isMultiple = false }: OwnAttribute) => ({
  id: attributeId(object, api_slug),
  title: label,
  description: null,
  api_slug,
  type,
  is_system_attribute: !(api_slug in OWN),
  is_writable: true,
  is_required: false,
  is_unique: api_slug === "email_addresses",
  is_multiselect: isMultiple,
  is_default_value_enabled: false,
  is_archived: false,
  default_value: null,
  relationship: null,
  created_at: time(0),
  config: {
    currency: { default_currency_code: type === "currency" ? "EUR" : null, display_type: null },
    record_reference: { allowed_object_ids: null },
  },
});

export function listAttributes({ params }: EmulatedRequest) {
  const object = params.object as ObjectName;
  if (!Object.hasOwn(STANDARD, object)) return failure(404);
  return reply(200, {
    data: [
      ...Object.entries(STANDARD[object]).map(([slug, type]) =>
        attribute(object, slug, { type, label: slug, isMultiple: MULTIPLE.includes(slug) }),
      ),
      ...Object.entries(OWN).map(([slug, own]) => attribute(object, slug, own)),
    ],
  });
}

/** Of an option, all parts are shown. */
function ownValue(object: ObjectName, slug: string, moment: Moment, content: unknown) {
  const { type, choices } = OWN[slug]!;
  if (!choices) return value(type, moment, { value: content });
  const option_id = uuid(60_000 + OBJECTS[object].first + choices.indexOf(content as string) + slug.length * 10);
  const id = { ...attributeId(object, slug), option_id };
  return value(type, moment, { option: { id, title: content, is_archived: false } });
}
type OwnValues = Record<string, ReturnType<typeof ownValue>[]>;

/** The values of the workspace's own attributes, each as a list. */
export const ownValues = (object: ObjectName, moment: Moment, contents: Record<string, unknown>): OwnValues =>
  Object.fromEntries(
    names.flatMap((slug) => {
      const content = contents[slug];
      if (content === undefined) return [];
      const list = content === null ? [] : [content].flat();
      return [[slug, list.map((one) => ownValue(object, slug, moment, one))]];
    }),
  );

export const sampleValues = (object: ObjectName, index: number): OwnValues =>
  ownValues(object, index, { ...customSample(index) });

export const noValues = (): OwnValues => Object.fromEntries(names.map((slug) => [slug, []]));

const FORMATS: Record<string, (content: unknown) => boolean> = {
  text: (content) => typeof content === "string",
  number: (content) => typeof content === "number",
  checkbox: (content) => typeof content === "boolean",
  date: (content) => /^\d{4}-\d\d-\d\d$/.test(String(content)),
};

/** Whether each of the workspace's own attributes takes the values that a client sends. */
export const WRITABLE_OWN = Object.fromEntries(
  Object.entries(OWN).map(([slug, { type, choices, isMultiple }]) => [
    slug,
    (contents: unknown[]) =>
      (isMultiple || contents.length < 2) &&
      contents.every((content) => (choices ? choices.includes(content as string) : FORMATS[type]!(content))),
  ]),
);
