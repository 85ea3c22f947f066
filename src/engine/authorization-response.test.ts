import { expect, it } from "vitest";
import { readCode } from "./authorization-response.ts";

const ORIGINS = ["https://auth.example", "https://login.example"];
const read = (parameters: string) => readCode(new URLSearchParams(parameters), "the-state", ORIGINS, "client");

it("a code is read from a response to our own request, which may name one of the expected servers", () => {
  expect(read("code=c&state=the-state")).toBe("c");
  expect(read("code=c&state=the-state&iss=https://auth.example/tenant")).toBe("c");
  expect(read("code=c&state=the-state&iss=https://login.example")).toBe("c");
  for (const issuer of ["https://evil.example", "auth.example", ""])
    expect(() => read(`code=c&state=the-state&iss=${issuer}`)).toThrow("different server than expected");
});

it.each(["code=c&state=other", "code=c", "state=the-state", "state=the-state&code=", "code=a&code=b&state=the-state"])(
  "a response that is not one to our request is malformed: %s",
  (parameters) => {
    expect(() => read(parameters)).toThrow("The provider's OAuth response is malformed");
  },
);

it.each([
  ["access_denied", "access_denied", "Access was denied"],
  ["temporarily_unavailable", "temporarily_unavailable", "The provider refused the authorization"],
  ["access_denied&error_description=Not today", "access_denied", "Not today"],
  ["<b>", "server_error", "The provider refused the authorization"],
])("a refusal is passed on as far as it can be shown: %s", (given, error, message) => {
  expect(() => read(`state=the-state&error=${given}`)).toThrow(expect.objectContaining({ error, message }));
});
