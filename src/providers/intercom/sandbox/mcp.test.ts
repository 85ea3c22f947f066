import { expect, test } from "vitest";
import type { EmulatedRequest, EmulatedTokens } from "../../../contracts/emulator.ts";
import { makeState } from "./data.ts";
import sandbox from "./index.ts";

const state = makeState();
const answer = (route: string, tool: string, input: object, params = {}) => {
  const request = { ...sandbox.mcp![tool]!.request(input), params } as unknown as EmulatedRequest;
  return sandbox.routes[route]!(request, state, {} as EmulatedTokens).body as any;
};

test("the tools search contacts and conversations, and return one of each", () => {
  const contacts = answer("POST /contacts/search", "search_contacts", { email: "contact-10@" });
  expect(contacts.data.map(({ email }: { email: string }) => email)).toEqual(["contact-10@example.com"]);
  const { id } = contacts.data[0];
  expect(sandbox.mcp!.get_contact!.request({ id }).path).toBe(`/contacts/${id}`);
  expect(answer("GET /contacts/:id", "get_contact", { id }, { id }).email).toBe("contact-10@example.com");

  const { conversations } = answer("POST /conversations/search", "search_conversations", { state: "snoozed" });
  expect(new Set(conversations.map((one: { state: string }) => one.state))).toEqual(new Set(["snoozed"]));
  const found = answer("GET /conversations/:id", "get_conversation", {}, { id: conversations[0].id });
  expect(found).toEqual(conversations[0]);
});
