import { describe, expect, it } from "vitest";
import type { Workspace } from "./entities.ts";
import { grantedWorkspaces, type OidcSettings, type Person, personId, roleIn } from "./people.ts";

const person: Person = {
  issuer: "https://login.example.com",
  subject: "ada",
  name: null,
  email: null,
  verified_domain: "example.com",
  groups: ["staff", "support"],
};
const settings = (roles: OidcSettings["roles"], allowedDomains?: string[]): OidcSettings => ({
  issuer: person.issuer,
  clientId: "",
  clientSecret: "",
  allowedDomains,
  groupsClaim: "groups",
  roles,
});
const workspace = { id: "ws_1", name: "production" };

describe("a person's role in a workspace", () => {
  it.each([
    ["viewer", [{ group: "support", role: "viewer", workspace: "production" }]],
    ["viewer", [{ group: "support", role: "viewer", workspace: "ws_1" }]],
    ["admin", [{ group: "*", role: "admin", workspace: "*" }]],
    [
      "developer",
      [
        { group: "support", role: "viewer", workspace: "*" },
        { group: "staff", role: "developer", workspace: "production" },
        { group: "*", role: "viewer", workspace: "production" },
      ],
    ],
    [undefined, [{ group: "staff", role: "admin", workspace: "staging" }]],
    [undefined, [{ group: "owners", role: "admin", workspace: "*" }]],
    [undefined, [{ group: "Staff", role: "admin", workspace: "Production" }]],
    [undefined, []],
  ] as const)("is %s with %j", (role, roles) => {
    expect(roleIn(settings([...roles]), person, workspace)).toBe(role);
  });

  it("is none for people of another issuer, of another domain, or of none, and without settings", () => {
    const roles: OidcSettings["roles"] = [{ group: "*", role: "admin", workspace: "*" }];
    expect(roleIn(settings(roles, ["example.com"]), person, workspace)).toBe("admin");
    expect(roleIn(settings(roles, ["example.org"]), person, workspace)).toBeUndefined();
    expect(roleIn(settings(roles, ["example.com"]), { ...person, verified_domain: null }, workspace)).toBeUndefined();
    expect(roleIn(settings(roles), { ...person, issuer: "https://evil.example.com" }, workspace)).toBeUndefined();
    expect(roleIn(undefined, person, workspace)).toBeUndefined();
  });

  it("orders the workspaces that they may use, the strongest role first", () => {
    const workspaces = ["a", "b", "c"].map((name) => ({ id: `ws_${name}`, name }) as Workspace);
    const roles: OidcSettings["roles"] = [
      { group: "*", role: "viewer", workspace: "a" },
      { group: "*", role: "admin", workspace: "c" },
    ];
    const granted = grantedWorkspaces(settings(roles), person, workspaces);
    expect(granted.map(({ workspace: { name }, role }) => [name, role])).toEqual([
      ["c", "admin"],
      ["a", "viewer"],
    ]);
  });
});

it("people of different issuers are different people", () => {
  expect(personId(person)).toBe("https://login.example.com#ada");
});
