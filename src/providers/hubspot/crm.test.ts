import type { CollectionResponseSimplePublicObjectWithAssociationsForwardPaging as SdkPage } from "@hubspot/api-client/lib/codegen/crm/contacts/models/CollectionResponseSimplePublicObjectWithAssociationsForwardPaging.js";
import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import hubspotCrm, { type HubSpotPage } from "./crm.ts";
import hubspot from "./manifest.ts";

const manifest: Manifest = hubspot;
const { next, record } = hubspotCrm.operations.listContacts as AnyList;

/** The SDK reads times into dates; on the wire they are text. */
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

// What the SDK says an answer is, is what we read: a compile-time check.
const pageOf = (page: Wire<SdkPage>): HubSpotPage => page;

describe("a contact's name", () => {
  test.each([
    ["Ada", "Lovelace", "ada@example.com", "Ada Lovelace"],
    ["陽菜", null, null, "陽菜"],
    [null, "d’Arc", "joan@example.com", "d’Arc"],
    [null, null, "nameless@example.com", "nameless@example.com"],
    ["  ", "", "blank@example.com", "blank@example.com"],
    [" Ada ", " Lovelace", null, "Ada Lovelace"],
    [null, null, null, "901"],
    ["", "", "", "901"],
  ])("of %j, %j and %j is %j", (firstname, lastname, email, name) => {
    expect(recordOf(contact({ firstname, lastname, email }))).toEqual({ id: "901", name, email: email || null });
  });

  test("is its id where no property was asked for", () => {
    expect(recordOf(contact({}))).toEqual({ id: "901", name: "901", email: null });
  });
});

describe("a page of contacts", () => {
  const nextOf = (body: HubSpotPage) => next({ status: 200, headers: {}, body }, {} as AnyPageContext);

  test("names the next one, or has no paging at all", () => {
    const results = [contact({})];
    expect(nextOf(pageOf({ results, paging: { next: { after: "NTI1", link: "?after=NTI1" } } }))).toBe("NTI1");
    expect(nextOf(pageOf({ results }))).toBeUndefined();
    expect(nextOf(pageOf({ results, paging: {} }))).toBeUndefined();
  });
});

test("a 429 is waited out as long as its limit needs, and a daily one not at all", () => {
  const wait = (status: number, body: unknown) => manifest.retryAfter!({ status, headers: {}, body });
  expect(wait(429, { policyName: "SECONDLY" })).toBe(1);
  expect(wait(429, { policyName: "TEN_SECONDLY_ROLLING" })).toBe(10);
  expect(wait(429, { policyName: "DAILY" })).toBe(Number.POSITIVE_INFINITY);
  expect(wait(429, null)).toBeUndefined();
  expect(wait(503, { policyName: "SECONDLY" })).toBeUndefined();
});

test("a refresh token is revoked by its own address, whole and encoded", () => {
  const { revoke } = hubspot.auth.oauth2;
  const request = revoke({ credentials: { token: "a", refresh_token: "r/1?x" }, client_id: "", client_secret: "" });
  expect([request.method, request.path]).toEqual(["DELETE", "/oauth/v1/refresh-tokens/r%2F1%3Fx"]);
});
