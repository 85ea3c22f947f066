import { Ajv } from "ajv";
import { expect, it } from "vitest";
import { NewCustomField } from "./custom-fields.ts";
import { NewSubscription } from "./subscription-inputs.ts";
import { NewToolPack } from "./tool-packs.ts";
import { checkOptions, schemaProblems } from "./validation.ts";

it.each<[object, object, string, string]>([
  [NewToolPack, { categories: [] }, "categories", "an array of 1 to 100 items"],
  [
    NewCustomField,
    { name: "Tier Of Plan" },
    "name",
    "a string of 1 to 63 characters (Its name in `custom`: lower-case",
  ],
  [NewCustomField, { paths: {} }, "paths", "an object of 1 to 200 fields"],
  [NewSubscription, { parameters: { project_id: null } }, "parameters,project_id", "a string, number or boolean"],
])("what a field must be is said completely: %#", (schema, body, path, expected) => {
  const validate = new Ajv(checkOptions).compile(schema);
  expect(validate(body)).toBe(false);
  const problem = schemaProblems({ validation: validate.errors }).find((one) => String(one.path) === path);
  expect(problem?.message).toContain(`Must be ${expected}`);
});
