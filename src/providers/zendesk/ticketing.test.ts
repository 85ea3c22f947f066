import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import zendesk from "./manifest.ts";
import zendeskTicketing, { toTicket, type ZendeskTicket } from "./ticketing.ts";

const manifest: Manifest = zendesk;
const context = { settings: { subdomain: "acme" } };
const ticket: ZendeskTicket = {
  id: 35_436,
  subject: "Grüße 👋",
  status: "open",
  description: "The fire is very colourful.",
  created_at: "2026-04-28T13:33:15Z",
  updated_at: "2026-04-29T00:00:00Z",
};

describe("tickets", () => {
  test("a ticket links to the page for agents", () => {
    expect(toTicket(ticket, context)).toEqual({
      id: "35436",
      title: "Grüße 👋",
      status: "open",
      url: "https://acme.zendesk.com/agent/tickets/35436",
      description: "The fire is very colourful.",
      created_at: "2026-04-28T13:33:15.000Z",
      updated_at: "2026-04-29T00:00:00.000Z",
    });
  });

  test("a ticket without a subject has its number as title", () => {
    expect(toTicket({ ...ticket, subject: null, description: "" }, context)).toMatchObject({
      title: "#35436",
      description: null,
    });
  });
});

test("the last page has no next page, although it has a cursor", () => {
  const { next } = zendeskTicketing.operations.listTickets as AnyList;
  const nextOf = (has_more: boolean) =>
    next(
      { status: 200, headers: {}, body: { tickets: [], meta: { has_more, after_cursor: "c" } } },
      {} as AnyPageContext,
    );
  expect(nextOf(true)).toBe("c");
  expect(nextOf(false)).toBeNull();
});

test.each(["agent@example.com", "agent@example.com/token"])(
  "an API token of %s is marked by a single /token suffix",
  (username) => {
    const { headers } = manifest.authorization!({ username, password: "made-up" }, "basic");
    expect(Buffer.from(headers!.authorization!.replace("Basic ", ""), "base64").toString()).toBe(
      "agent@example.com/token:made-up",
    );
  },
);
