// https://developer.box.com/guides/metadata/templates
import { customFields, customSample, reply } from "../../../emulator-kit/index.ts";

const SCOPE = "enterprise_445566";
const TEMPLATE = "customer";

const options = (keys: readonly string[]) => keys.map((key, index) => ({ id: `option-${index}`, key }));
const { tier, note, score, renews_on, interests } = customFields;
const FIELDS = [
  { key: "tier", type: "enum", displayName: tier.label, options: options(tier.choices) },
  { key: "note", type: "string", displayName: note.label },
  { key: "score", type: "float", displayName: score.label },
  { key: "renewsOn", type: "date", displayName: renews_on.label },
  { key: "interests", type: "multiSelect", displayName: interests.label, options: options(interests.choices) },
];

export const listTemplates = () =>
  reply(200, {
    entries: [
      {
        id: "58063d82-4128-7b43-bba9-92f706befcdf",
        type: "metadata_template",
        scope: SCOPE,
        templateKey: TEMPLATE,
        displayName: "Customer",
        hidden: false,
        fields: FIELDS.map((field, index) => ({ id: `field-${index}`, hidden: false, ...field })),
      },
    ],
    limit: 1_000,
    next_marker: null,
    prev_marker: null,
  });

export type Metadata = Record<string, string | number | string[]>;

/** The metadata of an item: what is empty is missing. */
export function ownMetadata(index: number): Metadata {
  const sample = customSample(index);
  return {
    ...(sample.tier && { tier: sample.tier }),
    ...(sample.note && { note: sample.note }),
    ...(sample.score !== null && { score: sample.score }),
    ...(sample.renews_on && { renewsOn: new Date(sample.renews_on).toISOString() }),
    ...(sample.interests.length > 0 && { interests: sample.interests }),
  };
}

/** An item's metadata, if its template was asked for. */
export const shownMetadata = (fields: string, id: string, metadata: Metadata | undefined) =>
  metadata && fields.split(",").includes(`metadata.${SCOPE}.${TEMPLATE}`)
    ? {
        metadata: {
          [SCOPE]: {
            [TEMPLATE]: { $parent: `file_${id}`, $template: TEMPLATE, $scope: SCOPE, $version: 0, ...metadata },
          },
        },
      }
    : {};
