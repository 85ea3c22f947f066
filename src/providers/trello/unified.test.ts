import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { availableDescriptions, checkExchanges, specsFolder } from "../../../test/support/contract/index.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import evidence from "./evidence.ts";
import manifest from "./manifest.ts";
import { makeState } from "./sandbox/data.ts";

const provider = { manifest, categories: [] };
let service: TestService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await startService();
  client = createClient(service, provider);
});
afterAll(() => service.close());

const operation = (id: string) => operations.find((operation) => operation.id === id)!;
const state = makeState();

test("project_id lists exactly the cards of that board, also of a closed one, with the names of its lists", async () => {
  const board = state.boards.find(({ closed }) => closed)!;
  const exchanges = await client.exchanges(async () => {
    const found = await client.walk(operation("tasks.listTasks"), {}, [5], { project_id: board.id });
    const wanted = state.cards.filter(({ idBoard }) => idBoard === board.id);
    expect(found.map(({ id }) => id).sort()).toEqual(wanted.map(({ id }) => id).sort());
    expect(found.map(({ status }) => status)).toContain("In Prüfung");
  });
  const folder = specsFolder();
  if (!folder) return expect(process.env.CI).toBeUndefined();
  const { violations } = checkExchanges(provider, availableDescriptions(evidence, folder), exchanges, folder);
  expect(violations).toEqual([]);
});

test("an invalid ID of a card gets Trello's own error", async () => {
  const one = await client.call(operation("ticketing.getTicket"), { ticket_id: "not-an-id" });
  expect([one.status, one.text]).toEqual([400, "invalid id"]);
});

test("only comments are listed, not the other actions of a card", async () => {
  const [cardId, actions] = [...state.actions].find(([, actions]) => actions.length > 50)!;
  const found = await client.walk(operation("tasks.listComments"), { task_id: cardId }, [7]);
  expect(found.map(({ id }) => id)).toEqual(actions.filter(({ type }) => type !== "updateCard").map(({ id }) => id));
  expect(found.some(({ text }) => text === null)).toBe(true);
  expect(found.every(({ text }) => !text?.includes("\r"))).toBe(true);
});
