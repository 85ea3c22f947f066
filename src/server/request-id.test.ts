import { expect, it } from "vitest";
import { newRequestId, requestId } from "./request-id.ts";

it("new ids have the form of a UUID, and none comes twice", () => {
  const ids = Array.from({ length: 1_000 }, newRequestId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(1_000);
});

it("a client's own id is kept if it is well-formed", () => {
  const own = (value: string) => requestId({ headers: { "x-request-id": value } });
  expect(own("trace.1:/+=-")).toBe("trace.1:/+=-");
  for (const odd of ["", "a b", "ü", "x".repeat(129)]) expect(own(odd)).toMatch(/^[0-9a-f-]{36}$/);
});
