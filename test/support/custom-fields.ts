import type { CustomFieldType, CustomValue, WrittenField } from "../../src/contracts/custom-fields.ts";
import { createReader } from "../../src/engine/custom-fields/read.ts";
import type { CustomFieldSource } from "../../src/provider-kit/index.ts";

/** What a custom field of a type is in an item. */
export const readCustom = (
  source: CustomFieldSource,
  path: string,
  type: CustomFieldType,
  item: unknown,
): CustomValue => createReader([{ name: "value", type, path }], source)(item).value!;

/** A custom field to write. */
export const writtenField = (path: string, value: CustomValue, described?: Partial<WrittenField["described"]>) =>
  ({
    name: "field",
    type: "string",
    path,
    value,
    described: described && { path, label: "", type: "string", custom: true, ...described },
  }) as WrittenField;
