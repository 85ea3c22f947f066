import { expect, it } from "vitest";
import { createOpenApiChecker } from "./openapi.ts";

it.each([
  ["OpenAPI 3", { schema: { type: "integer", maximum: 100 } }],
  ["Swagger 2", { type: "integer", maximum: 100 }],
])("the values of a query are checked as %s describes them", (_, described) => {
  const parameters = [{ name: "limit", in: "query", required: true, description: "How many", ...described }];
  const check = createOpenApiChecker({ paths: { "/tickets": { get: { parameters, responses: { 200: {} } } } } });
  const problemsOf = (query: string) =>
    check({
      path: "/tickets",
      request: { method: "GET", query: new URLSearchParams(query), body: undefined },
      reply: { status: 200, body: undefined },
    } as Parameters<typeof check>[0]);
  expect(problemsOf("limit=100")).toEqual([]);
  expect(problemsOf("limit=101")).toEqual(["GET /tickets query limit must be <= 100"]);
  expect(problemsOf("limit=many")).not.toEqual([]);
  expect(problemsOf("color=red")).toEqual([
    "GET /tickets query color is not described",
    "GET /tickets query limit is missing",
  ]);
});

it("an operation whose scopes a token does not have is a violation", () => {
  const security = [{ key: [] }, { oauth: ["tickets:read", "users:read"] }, {}];
  const document = {
    components: { securitySchemes: { key: { type: "apiKey" }, oauth: { type: "oauth2" } } },
    paths: { "/tickets": { get: { security, responses: { 200: {} } } } },
  };
  const problemsWith = (...granted: string[]) => {
    const check = createOpenApiChecker(document, {}, granted);
    const request = { method: "GET", query: new URLSearchParams(), body: undefined };
    return check({ path: "/tickets", request, reply: { status: 200 } } as Parameters<typeof check>[0]);
  };
  expect(problemsWith("tickets:read", "users:read", "tickets:write")).toEqual([]);
  expect(problemsWith("tickets:read")).toEqual(["GET /tickets needs the scopes tickets:read users:read"]);
  expect(problemsWith()).toEqual([]);
});
