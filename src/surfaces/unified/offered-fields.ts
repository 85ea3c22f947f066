import Type from "typebox";
import { OneOf, Text, TextList } from "../../categories/schema.ts";
import { customFieldTypes } from "../../contracts/custom-fields.ts";
import type { BoundOperation } from "../../contracts/operation.ts";

/** Where a client finds out what the records of a list can have as custom fields. */
export const fieldsRoute = ({ route }: BoundOperation): string => `${route}/fields`;

export const offeredField = Type.Object(
  {
    path: Text("Where it is in the provider's own item, as a JSON Pointer: for `paths` of a custom field"),
    label: Text("What the provider calls it"),
    type: OneOf(customFieldTypes, "The type to declare it with"),
    custom: Type.Boolean({ description: "Whether the account's own people have made it" }),
    example: Type.Unknown({ description: "A value of one of the records; null if none was found" }),
  },
  { title: "OfferedField", additionalProperties: false },
);

export const offeredFieldsSchema = Type.Object(
  {
    response: Type.Object({
      data: Type.Array(offeredField),
      metadata: Type.Object({
        missing: TextList(
          "Names of declared custom fields that the provider does not have, or no longer: they are null",
        ),
      }),
    }),
  },
  { title: "OfferedFields" },
);
