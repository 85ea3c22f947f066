import { type CustomFieldSource, type DescribedField, fieldNames, get, pointerTo } from "../../provider-kit/index.ts";
import { FIELDS, FIND_EVERYWHERE } from "./records.ts";

/** Texts under names that anybody may choose, for all apps or for this one: https://developers.google.com/workspace/drive/api/guides/properties */
const MAPS = ["properties", "appProperties"] as const;

type Properties = { [map in (typeof MAPS)[number]]?: Record<string, string> };

/** What is asked for of a file. */
export const fieldsFor = (select: readonly string[]): string =>
  [FIELDS, ...MAPS.filter((map) => fieldNames(select, map).length > 0)].join(",");

/** There is no list of names, so those of many files are shown. */
const SAMPLE = {
  pageSize: 1_000,
  orderBy: "modifiedTime desc",
  q: "trashed = false",
  fields: `files(${MAPS.join(",")})`,
};

export const customFields: CustomFieldSource = {
  async describe({ upstream }) {
    const { body } = await upstream<{ files?: Properties[] }>(get("/files", SAMPLE, FIND_EVERYWHERE));
    const found = new Map<string, DescribedField>();
    for (const map of MAPS)
      for (const file of body.files ?? [])
        for (const name of Object.keys(file[map] ?? {})) {
          const path = pointerTo(map, name);
          found.set(path, { path, label: name, type: "string", custom: true });
        }
    return [...found.values()];
  },
};
