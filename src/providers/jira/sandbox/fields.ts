// Fields of issues, of which a site can add its own:
// https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-fields/#api-rest-api-3-field-get
import {
  customFields,
  customSample,
  type EmulatedRequest,
  refuse,
  reply,
  sentFields,
} from "../../../emulator-kit/index.ts";
import { fieldError } from "./errors.ts";

const OWN = {
  customfield_10101: { name: customFields.tier.label, type: "option", editor: "select" },
  customfield_10102: { name: customFields.note.label, type: "string", editor: "textfield" },
  customfield_10103: { name: customFields.score.label, type: "number", editor: "float" },
  customfield_10104: { name: customFields.renews_on.label, type: "date", editor: "datepicker" },
  customfield_10105: { name: customFields.interests.label, type: "array", items: "option", editor: "multiselect" },
  customfield_10106: { name: "Details", type: "string", editor: "textarea" },
} as const;
export const NOTE = "customfield_10102";
type OwnId = keyof typeof OWN;
const OWN_IDS = Object.keys(OWN) as OwnId[];

const SYSTEM: Record<string, string> = { summary: "string", status: "status", duedate: "date", created: "datetime" };

const field = (id: string, name: string, custom: boolean, schema: object) => ({
  id,
  key: id,
  name,
  custom,
  orderable: true,
  navigable: true,
  searchable: true,
  clauseNames: [custom ? `cf[${id.split("_")[1]}]` : id],
  schema,
});

export const listFields = () =>
  reply(200, [
    ...Object.entries(SYSTEM).map(([id, type]) => field(id, id, false, { type, system: id })),
    ...OWN_IDS.map((id) => {
      const { name, editor, ...schema } = OWN[id];
      const custom = `com.atlassian.jira.plugin.system.customfieldtypes:${editor}`;
      return field(id, name, true, { ...schema, custom, customId: Number(id.split("_")[1]) });
    }),
  ]);

const choices = [...customFields.tier.choices, ...customFields.interests.choices].map((value, index) => ({
  self: `https://sandbox.atlassian.net/rest/api/3/customFieldOption/${10_200 + index}`,
  value,
  id: String(10_200 + index),
}));
const optionOf = (label: string) => choices.find(({ value }) => value === label);

const paragraph = (text: string) => ({
  type: "doc",
  version: 1,
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});

/** Values of the site's own fields. A field without one is null. */
export function ownValues(index: number): Record<OwnId, unknown> {
  const { tier, note, score, renews_on, interests } = customSample(index);
  return {
    customfield_10101: tier && optionOf(tier),
    customfield_10102: note,
    customfield_10103: score,
    customfield_10104: renews_on,
    customfield_10105: interests.length === 0 ? null : interests.map(optionOf),
    customfield_10106: note && paragraph(`${note} of issue ${index}`),
  };
}

export const noValues = () => Object.fromEntries(OWN_IDS.map((id) => [id, null])) as Record<OwnId, unknown>;

type Sent = EmulatedRequest["body"];

const option = (id: string, sent: Sent) =>
  optionOf(sent?.value) ?? refuse(fieldError(id, `Option value '${sent?.value}' is not valid`));

const ofType = (id: string, isValid: boolean, value: unknown, what: string) =>
  isValid ? value : refuse(fieldError(id, `Operation value must be ${what}`));

const READERS: Record<string, (id: string, sent: Sent) => unknown> = {
  select: option,
  textfield: (id, sent) => ofType(id, typeof sent === "string", sent, "a string"),
  float: (id, sent) => ofType(id, typeof sent === "number", sent, "a number"),
  datepicker: (id, sent) =>
    /^\d{4}-\d\d-\d\d$/.test(sent) ? sent : refuse(fieldError(id, `Error parsing date string: ${sent}`)),
  multiselect: (id, sent) =>
    Array.isArray(sent) ? sent.map((one) => option(id, one)) : refuse(fieldError(id, "data was not an array")),
  textarea: (id, sent) => ofType(id, sent?.type === "doc", sent, "an Atlassian Document"),
};

/** The site's own fields that a write sets. */
export function readOwn(sent: Record<string, unknown>): Record<string, unknown> {
  const unknown = Object.keys(sent).find((id) => id.startsWith("customfield_") && !(id in OWN));
  if (unknown !== undefined)
    refuse(fieldError(unknown, `Field '${unknown}' cannot be set. It is not on the appropriate screen, or unknown.`));
  return Object.fromEntries(
    Object.entries(sentFields(sent, OWN_IDS)).map(([id, value]) => [
      id,
      value === null || (Array.isArray(value) && value.length === 0)
        ? null
        : READERS[OWN[id as OwnId].editor]!(id, value),
    ]),
  );
}
