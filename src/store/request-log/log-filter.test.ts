import { expect, it } from "vitest";
import { createSearch } from "./log-filter.ts";

it.each([
  ["r0", "1uxb9nc"],
  ["r10", "0rgguip"],
  ["r31822", "0000p9w"],
])("the term of the request %s stays %s, as it is in the batches that are stored already", (request_id, term) => {
  expect(createSearch({ request_id }).terms).toEqual([[term]]);
});
