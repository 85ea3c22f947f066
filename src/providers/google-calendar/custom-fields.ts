import {
  type CustomFieldSource,
  customProblem,
  type DescribedField,
  fieldNames,
  get,
  path,
  pointerTo,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";
import { PRIMARY } from "./records.ts";

/**
 * Texts under names that anybody may choose, in all copies of an event or only in this calendar's:
 * https://developers.google.com/workspace/calendar/api/guides/extended-properties
 */
const MAPS = ["shared", "private"] as const;

interface WithProperties {
  extendedProperties?: { [map in (typeof MAPS)[number]]?: Record<string, string> };
}

/** There is no list of names, so those of many events of the main calendar are shown. */
const SAMPLE = { maxResults: 2_500, fields: "items(extendedProperties)" };

/** All values are texts. */
function toValue(field: WrittenField): string {
  if (Array.isArray(field.value)) throw customProblem(field, "has one value at Google Calendar: declare another type");
  return String(field.value);
}

/** What is written to one of the maps. An event that is created has no value to empty. */
function mapOf(map: (typeof MAPS)[number], fields: readonly WrittenField[]): object {
  const own = fields.filter(({ path: pointer }) => fieldNames([pointer], "extendedProperties", map).length > 0);
  return own.length > 0 ? { [map]: writeTo(own, ["extendedProperties", map], toValue) } : {};
}

export const customFields: CustomFieldSource = {
  async describe({ upstream }) {
    const { body } = await upstream<{ items?: WithProperties[] }>(get(path`/calendars/${PRIMARY}/events`, SAMPLE));
    const found = new Map<string, DescribedField>();
    for (const map of MAPS)
      for (const { extendedProperties } of body.items ?? [])
        for (const name of Object.keys(extendedProperties?.[map] ?? {})) {
          const pointer = pointerTo("extendedProperties", map, name);
          found.set(pointer, { path: pointer, label: name, type: "string", custom: true });
        }
    return [...found.values()];
  },
  write(fields) {
    const given = fields.filter(({ value }) => value !== null);
    const other = given.find(({ path: pointer }) =>
      MAPS.every((map) => !fieldNames([pointer], "extendedProperties", map)[0]),
    );
    if (other)
      throw customProblem(other, "cannot be written: only fields below /extendedProperties/shared and private can");
    return given.length > 0 ? { extendedProperties: { ...mapOf("shared", given), ...mapOf("private", given) } } : {};
  },
};
