import { describe, expect, it } from "vitest";
import { readClaim, toPerson } from "./person-claims.ts";

describe("a claim", () => {
  it.each([
    [{ groups: ["a"] }, "groups", ["a"]],
    [{ realm_access: { roles: ["a"] } }, "realm_access.roles", ["a"]],
    [{ "https://example.com/groups": ["a"] }, "https://example.com/groups", ["a"]],
    [{ "a.b": 1, a: { b: 2 } }, "a.b", 1],
    [{ a: "text" }, "a.length", undefined],
    [{}, "constructor", undefined],
    [{}, "__proto__.toString", undefined],
    [{ a: null }, "a.b", undefined],
  ])("of %j by the name %s is %j", (claims, path, value) => {
    expect(readClaim(claims, path)).toEqual(value);
  });
});

describe("a person", () => {
  const settings = { issuer: "https://login.example.com", groupsClaim: "groups" };

  it("is made from the ID token, completed by the userinfo endpoint", () => {
    const idToken = { name: " Ada ", groups: ["staff", "", 1] };
    const userinfo = { name: "Other", email: "Ada@Example.com", email_verified: true, groups: ["more"] };
    expect(toPerson(settings, "ada", idToken, userinfo)).toEqual({
      issuer: settings.issuer,
      subject: "ada",
      name: "Ada",
      email: "Ada@Example.com",
      verified_domain: "example.com",
      groups: ["staff"],
    });
  });

  it("may be known by the subject alone", () => {
    expect(toPerson(settings, "ada", { name: 1, email: ["a@b.c"], email_verified: true }, {})).toMatchObject({
      name: null,
      email: null,
      verified_domain: null,
      groups: [],
    });
    expect(toPerson(settings, "ada", { preferred_username: "ada", name: "x".repeat(300) }, {}).name).toHaveLength(200);
    expect(toPerson(settings, "ada", { preferred_username: "ada" }, {}).name).toBe("ada");
  });
});
