import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import type { OneImplementation } from "../../contracts/provider.ts";
import { providers } from "../registry.gen.ts";
import { textOnly } from "./helpdesk.ts";
import frontIdentity from "./identity.ts";

const operation = (id: string) => operations.find((known) => known.id === id)!;

test.each([
  ["lost shipment", "lost shipment"],
  ['is:archived "a" inbox:inb_1', "is archived a inbox inb_1"],
  ["日本語 100% (a*) b\\c/d", "日本語 100% (a*) b c d"],
])("no word of a search for %s is a filter", (text, words) => {
  expect(textOnly(text)).toBe(words);
});

describe("Front over the Unified API", () => {
  let service: TestService;
  let client: Client;
  beforeAll(async () => {
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
    client = createClient(service, providers.find(({ manifest: { id } }) => id === "front")!);
  });
  afterAll(() => service?.close());

  const listTickets = () => client.walk(operation("helpdesk.listTickets"), {}, [100]);
  const commentsOf = (ticket_id: string) => client.walk(operation("helpdesk.listComments"), { ticket_id }, [100]);

  test("tickets are conversations and tasks, and only tasks have a description", async () => {
    const tickets = await listTickets();
    const described = tickets.filter(({ description }) => description !== null);
    expect(described.length).toBeGreaterThan(5);
    expect(new Set(described.map(({ requester }) => requester))).toEqual(new Set([null]));
    expect(tickets.filter(({ status }) => status === "deleted")).toEqual([]);
    expect(new Set(tickets.map(({ status_category }) => status_category))).toEqual(
      new Set(["open", "pending", "solved", "closed"]),
    );
  });

  test("comments are the messages, oldest first, and then the comments of teammates", async () => {
    const [first] = await listTickets();
    const comments = await commentsOf(first.id);
    const publicOnes = comments.filter(({ is_public }) => is_public);
    expect(comments.map(({ is_public }) => is_public)).toEqual(
      comments.map(({ is_public }) => is_public).toSorted((a, b) => Number(b) - Number(a)),
    );
    expect(publicOnes.map(({ created_at }) => created_at)).toEqual(publicOnes.map((one) => one.created_at).toSorted());
    // 130 messages without five drafts, and 120 comments.
    expect([publicOnes.length, comments.length]).toEqual([125, 245]);
    const texts = comments.map(({ text }) => text);
    expect(texts).toContain("My printer is **on fire**.  \nPlease help & hurry.");
    expect(texts).toContain("See [the guide](https://example.com/guide?a=1&b=2):\n\n1. Open it\n2. Read it");
    expect(texts).toContain("Looks like a **real** fire,\nsee [the guide](https://example.com/guide).");
    expect(texts).toContain(null);
    expect(texts.join("")).not.toMatch(/<\/?(?:div|p|br)\b|\r/);
  });

  test("customers without an email address have null", async () => {
    const customers = await client.walk(operation("helpdesk.listCustomers"), {}, [100]);
    expect(customers.some(({ email }) => email === null)).toBe(true);
    expect(customers.some(({ email }) => email?.startsWith("+"))).toBe(false);
  });
});

test("the number of a company is its ID as text", () => {
  const { record } = frontIdentity.operations.getMe as OneImplementation<any, any, any>;
  expect(record({ id: 11, name: "Sandbox GmbH" }, {} as any)).toMatchObject({ id: "11", name: "Sandbox GmbH" });
});
