import type { CollectionResponseSimplePublicObjectWithAssociationsForwardPaging as SdkPage } from "@hubspot/api-client/lib/codegen/crm/contacts/models/CollectionResponseSimplePublicObjectWithAssociationsForwardPaging.js";
import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import hubspotCrm, { type HubSpotPage } from "./crm.ts";
import hubspot from "./manifest.ts";

const manifest: Manifest = hubspot;
const { next, record } = hubspotCrm.operations.listContacts as AnyList;

/** The SDK parses times into dates; in the response they are strings. */
type Wire<T> = T extends Date ? string : T extends object ? { [Key in keyof T]: Wire<T[Key]> } : T;

const contact = (properties: Record<string, string | null>) =>
  ({
    id: "901",
    properties,
    createdAt: "2024-01-01T00:00:00.000Z",
    updatedAt: "2024-01-01T00:00:00.000Z",
    archived: false,
  }) satisfies Wire<SdkPage>["results"][number];

const recordOf = (item: HubSpotPage["results"][number]) => record(item, {} as AnyPageContext);

// Compile-time check: our types accept the SDK's type of a response.
const pageOf = (page: Wire<SdkPage>): HubSpotPage => page;

describe("contacts", () => {
  test.each([
    ["Ada", "Lovelace", "ada@example.com", "Ada Lovelace"],
    ["陽菜", null, null, "陽菜"],
    [null, "d’Arc", "joan@example.com", "d’Arc"],
    [null, null, "nameless@example.com", "nameless@example.com"],
    ["  ", "", "blank@example.com", "blank@example.com"],
    [" Ada ", " Lovelace", null, "Ada Lovelace"],
    [null, null, null, "901"],
    ["", "", "", "901"],
  ])("a contact with first name %j, last name %j and email %j is named %j", (firstname, lastname, email, name) => {
    expect(recordOf(contact({ firstname, lastname, email }))).toEqual({ id: "901", name, email: email || null });
  });

  test("a contact without properties is named by its id", () => {
    expect(recordOf(contact({}))).toEqual({ id: "901", name: "901", email: null });
  });
});

describe("paging", () => {
  const nextOf = (body: HubSpotPage) => next({ status: 200, headers: {}, body }, {} as AnyPageContext);

  test("the next page starts at paging.next.after, and the last page has none", () => {
    const results = [contact({})];
    expect(nextOf(pageOf({ results, paging: { next: { after: "NTI1", link: "?after=NTI1" } } }))).toBe("NTI1");
    expect(nextOf(pageOf({ results }))).toBeUndefined();
    expect(nextOf(pageOf({ results, paging: {} }))).toBeUndefined();
  });
});

test("a 429 is retried after the period of its limit, and never for the daily limit", () => {
  const wait = (status: number, body: unknown) => manifest.retryAfter!({ status, headers: {}, body });
  expect(wait(429, { policyName: "SECONDLY" })).toBe(1);
  expect(wait(429, { policyName: "TEN_SECONDLY_ROLLING" })).toBe(10);
  expect(wait(429, { policyName: "DAILY" })).toBe(Number.POSITIVE_INFINITY);
  expect(wait(429, null)).toBeUndefined();
  expect(wait(503, { policyName: "SECONDLY" })).toBeUndefined();
});

test("a refresh token is revoked with a DELETE request that has the encoded token in its path", () => {
  const { revoke } = hubspot.auth.oauth2;
  const request = revoke({ credentials: { token: "a", refresh_token: "r/1?x" }, client_id: "", client_secret: "" });
  expect([request.method, request.path]).toEqual(["DELETE", "/oauth/v1/refresh-tokens/r%2F1%3Fx"]);
});
