import type { CustomField, DeclaredField } from "../../contracts/custom-fields.ts";
import type { CustomFieldSource, Provider } from "../../contracts/provider.ts";
import { declaredFields } from "./declared.ts";
import { createReader, type ReadCustom } from "./read.ts";

/** The custom fields of one record of a connection. */
export interface RecordFields {
  declared: readonly DeclaredField[];
  source: CustomFieldSource | undefined;
  read: ReadCustom;
  /** JSON Pointers to those that the connection's provider has. */
  paths: readonly string[];
}

function sourceOf({ categories }: Provider, record: string | undefined): CustomFieldSource | undefined {
  if (record === undefined) return undefined;
  const dot = record.indexOf(".");
  return categories.find(({ category }) => category === record.slice(0, dot))?.customFields?.[record.slice(dot + 1)];
}

/** Returns the function that finds the custom fields of a record, once for each. */
export function createRecordFields(provider: Provider, declarations: readonly CustomField[]) {
  const known = new Map<string | undefined, RecordFields>();
  return (record: string | undefined): RecordFields => {
    let fields = known.get(record);
    if (!fields) {
      const declared = declaredFields(declarations, record, provider.manifest.id);
      const source = sourceOf(provider, record);
      const paths = declared.flatMap(({ path }) => path ?? []);
      fields = { declared, source, paths, read: createReader(declared, source) };
      known.set(record, fields);
    }
    return fields;
  };
}
