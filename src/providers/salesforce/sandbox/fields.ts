// Fields of objects, of which an org can add its own: their names end in `__c`.
// https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_sobject_describe.htm
import { customFields, customSample, type EmulatedRequest, refuse, reply } from "../../../emulator-kit/index.ts";
import { errorReply, failure } from "./errors.ts";
import type { Row } from "./soql.ts";

export const NOTE = "Account_Note__c";

const OWN: Record<string, { label: string; type: string; choices?: readonly string[] }> = {
  Tier__c: { type: "picklist", ...customFields.tier },
  [NOTE]: { type: "string", ...customFields.note },
  Score__c: { type: "double", ...customFields.score },
  Renews_On__c: { type: "date", ...customFields.renews_on },
  VIP__c: { type: "boolean", ...customFields.is_vip },
  Interests__c: { type: "multipicklist", ...customFields.interests },
};
export const OWN_FIELDS = Object.keys(OWN);

const STANDARD: Record<string, Record<string, string>> = {
  Contact: {
    Id: "id",
    AccountId: "reference",
    LastName: "string",
    FirstName: "string",
    Name: "string",
    MailingAddress: "address",
    Phone: "phone",
    Email: "email",
    CreatedDate: "datetime",
    SystemModstamp: "datetime",
  },
  Account: { Id: "id", Name: "string", Website: "url", Phone: "phone", CreatedDate: "datetime" },
  Opportunity: {
    Id: "id",
    Name: "string",
    Amount: "currency",
    StageName: "picklist",
    CloseDate: "date",
    AccountId: "reference",
    CreatedDate: "datetime",
  },
};

const field = (name: string, type: string, label: string, custom: boolean, choices: readonly string[] = []) => ({
  aggregatable: true,
  calculated: false,
  createable: custom,
  custom,
  filterable: true,
  label,
  length: type === "string" ? 255 : 0,
  name,
  nillable: true,
  picklistValues: choices.map((value) => ({
    active: true,
    defaultValue: false,
    label: value,
    validFor: null,
    value,
  })),
  restrictedPicklist: choices.length > 0,
  type,
  updateable: custom,
});

export function describeObject({ params }: EmulatedRequest) {
  const standard = STANDARD[params.object!];
  if (!standard) return failure(404);
  return reply(200, {
    name: params.object,
    label: params.object,
    custom: false,
    queryable: true,
    fields: [
      ...Object.entries(standard).map(([name, type]) => field(name, type, name, false)),
      ...Object.entries(OWN).map(([name, { type, label, choices }]) => field(name, type, label, true, choices)),
    ],
  });
}

/** The values of a row. Several choices are one text. */
export function ownValues(index: number): Row {
  const { tier, note, score, is_vip, renews_on, interests } = customSample(index);
  return {
    // A checkbox always has a value.
    VIP__c: is_vip ?? false,
    Tier__c: tier,
    [NOTE]: note,
    Score__c: score,
    Renews_On__c: renews_on,
    Interests__c: interests.length === 0 ? null : interests.join(";"),
  };
}

const FORMATS: Record<string, (value: unknown) => boolean> = {
  double: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
};

/** Refuses values that a field of the org does not take. */
export function checkOwn(sent: Row): void {
  for (const [name, value] of Object.entries(sent)) {
    const { type, choices } = OWN[name] ?? {};
    if (!type || value === null) continue;
    if (typeof value === "object" || !(FORMATS[type]?.(value) ?? typeof value === "string"))
      refuse(
        errorReply(400, "JSON_PARSER_ERROR", `Cannot deserialize instance of ${type} from VALUE_STRING value ${value}`),
      );
    if (
      choices &&
      !String(value)
        .split(";")
        .every((one) => choices.includes(one))
    )
      refuse(
        errorReply(
          400,
          "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST",
          `bad value for restricted picklist field: ${value}`,
          [name],
        ),
      );
  }
}
