import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import pipedriveCrm, { type PipedrivePage, type PipedrivePerson } from "./crm.ts";
import pipedrive from "./manifest.ts";

const manifest: Manifest = pipedrive;
const { items, next, record } = pipedriveCrm.operations.listContacts as AnyList;

describe("persons", () => {
  const recordOf = (person: Omit<PipedrivePerson, "id">) => record({ id: 16, ...person }, {} as AnyPageContext);
  const address = (value: string, primary: boolean) => ({ value, primary, label: "work" });

  test.each([
    [[address("a@example.com", true)], "a@example.com"],
    [[address("a@example.com", false), address("b@example.com", true)], "b@example.com"],
    [[address("a@example.com", false), address("b@example.com", false)], "a@example.com"],
    [[address("", true)], null],
    [[], null],
    [null, null],
    [undefined, null],
  ])("a person with the addresses %j has the email %j", (emails, email) => {
    expect(recordOf({ name: "Ada", emails: emails as PipedrivePerson["emails"] }).email).toBe(email);
  });

  test.each([
    [{ name: "Ada Lovelace", first_name: "Ada", last_name: "Lovelace" }, "Ada Lovelace"],
    [{ name: " ", first_name: "Ada", last_name: null }, "Ada"],
    [{ name: null, emails: [address("a@example.com", true)] }, "a@example.com"],
    [{}, "16"],
  ])("a person with the fields %j has the name %j", (person, name) => {
    expect(recordOf(person)).toMatchObject({ id: "16", name });
  });
});

test("a page may have no items, and the last page has no cursor", () => {
  const nextOf = (body: PipedrivePage) => next({ status: 200, headers: {}, body }, {} as AnyPageContext);
  expect(items({ data: null }, {} as AnyPageContext)).toEqual([]);
  expect(nextOf({ data: [], additional_data: { next_cursor: "abc" } })).toBe("abc");
  expect(nextOf({ data: [], additional_data: { next_cursor: null } })).toBeNull();
  expect(nextOf({ data: [], additional_data: null })).toBeUndefined();
});

test("a key is sent as x-api-token, an OAuth token as Bearer", () => {
  expect(manifest.authorization!({ token: "k" }, "api_key")).toEqual({ headers: { "x-api-token": "k" } });
  expect(manifest.authorization!({ token: "t" }, "oauth2")).toEqual({ headers: { authorization: "Bearer t" } });
});

describe("company", () => {
  const fits = (company: string) => new RegExp(`^(?:${manifest.settings!.company!.pattern})$`).test(company);
  const read = (api_domain: unknown) =>
    manifest.auth.oauth2!.readToken!({ access_token: "a", refresh_token: "r", expires_in: 3599, api_domain })!;

  test("the company is read from the token answer", () => {
    expect(read("https://acme-12g53f.pipedrive.com")).toEqual({
      access_token: "a",
      refresh_token: "r",
      expires_in: 3599,
      settings: { company: "acme-12g53f" },
    });
  });

  test.each([
    undefined,
    "",
    "acme",
    "http://acme.pipedrive.com",
    "https://acme.pipedrive.com.evil.example",
    "https://evil.example/.pipedrive.com",
    "https://evil.example#.pipedrive.com",
    "https://evil.example?.pipedrive.com",
    "https://user@evil.example:1.pipedrive.com",
  ])("the company is not read from the api_domain %j", (api_domain) => {
    expect(fits(read(api_domain).settings!.company!)).toBe(false);
  });
});

test("the wait after a 429 lasts until the rate limit window ends", () => {
  const wait = (status: number, headers: Record<string, string>) =>
    manifest.retryAfter!({ status, headers, body: null });
  expect(wait(429, { "x-ratelimit-reset": "2" })).toBe(2);
  expect(wait(429, {})).toBeUndefined();
  expect(wait(503, { "x-ratelimit-reset": "2" })).toBeUndefined();
});
