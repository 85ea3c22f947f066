import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import trello from "./manifest.ts";
import trelloTicketing, { type TrelloCard, toTicket } from "./ticketing.ts";

const manifest: Manifest = trello;
const lists = new Map([["l1", "In Prüfung"]]);
const card: TrelloCard = {
  id: "69f0b4cb1234567890abcdef",
  name: "Grüße 👋",
  desc: "**Markdown**",
  url: "https://trello.com/c/abc/1-card",
  closed: false,
  idList: "l1",
  dateLastActivity: "2026-04-29T00:00:00.000Z",
};

describe("tickets", () => {
  test("a ticket has its creation time from its id, and the name of its list as status", () => {
    expect(toTicket(card, { lists })).toEqual({
      id: "69f0b4cb1234567890abcdef",
      title: "Grüße 👋",
      status: "In Prüfung",
      url: "https://trello.com/c/abc/1-card",
      description: "**Markdown**",
      created_at: new Date(0x69f0b4cb * 1000).toISOString(),
      updated_at: "2026-04-29T00:00:00.000Z",
    });
  });

  test("an archived card is a closed ticket, whatever its list", () => {
    expect(toTicket({ ...card, closed: true }, { lists }).status).toBe("closed");
  });

  test("a ticket can be made without a known list, a description, an activity or fields that the client did not request", () => {
    const bare = toTicket({ ...card, idList: "l2", desc: "", dateLastActivity: null }, { lists });
    expect(bare).toMatchObject({ status: "", description: null, updated_at: bare.created_at });
    expect(toTicket({ id: card.id }, { lists })).toMatchObject({ title: "", url: `https://trello.com/c/${card.id}` });
  });
});

test("the next page starts before the oldest card, wherever that card is on the board", () => {
  const { next, items } = trelloTicketing.operations.listTickets as AnyList;
  const cards = ["3", "1", "2"].map((id) => ({ ...card, id }));
  const nextOf = (limit: number) =>
    next({ status: 200, headers: {}, body: cards }, { limit } as AnyPageContext) ?? null;
  expect(nextOf(3)).toBe("1");
  expect(nextOf(4)).toBeNull();
  expect(items(cards, {} as AnyPageContext).map(({ id }) => id)).toEqual(["3", "2", "1"]);
  expect(next({ status: 200, headers: {}, body: [] }, { limit: 1 } as AnyPageContext)).toBeNull();
});

test("a key and its token are sent in the query, an OAuth token in the header", () => {
  expect(manifest.authorization!({ username: "made-up key", password: "made-up token" }, "basic")).toEqual({
    query: { key: "made-up key", token: "made-up token" },
  });
  expect(manifest.authorization!({ token: "made-up" }, "oauth2")).toEqual({
    headers: { authorization: "Bearer made-up" },
  });
});
