import { type Ticket, ticketing } from "../../categories/ticketing.ts";
import type { Place } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get, path } from "../../provider-kit/request.ts";
import { firstTime, isoSeconds } from "../../provider-kit/time.ts";

// Only the fields that are read. Any of them is missing if a client requests other fields.
export interface TrelloCard {
  id: string;
  name?: string;
  desc?: string | null;
  url?: string;
  closed?: boolean;
  idList?: string;
  dateLastActivity?: string | null;
}
interface TrelloBoard {
  id: string;
  lists: { id: string; name: string }[];
}

/** A board to read cards from. */
export interface TrelloPlace extends Place {
  /** Names of its lists by id. */
  lists: ReadonlyMap<string, string>;
}

/** An id starts with the time of creation, in seconds: https://support.atlassian.com/trello/docs/getting-the-time-a-card-or-board-was-created/ */
const createdAt = (id: string) => isoSeconds(Number.parseInt(id.slice(0, 8), 16));

const newestFirst = (one: TrelloCard, other: TrelloCard) => (one.id < other.id ? 1 : -1);

export const toTicket = (card: TrelloCard, { lists }: Pick<TrelloPlace, "lists">): Ticket => ({
  id: card.id,
  title: card.name ?? "",
  status: card.closed ? "closed" : (lists.get(card.idList ?? "") ?? ""),
  url: card.url ?? `https://trello.com/c/${card.id}`,
  description: card.desc || null,
  created_at: firstTime(createdAt(card.id)),
  updated_at: firstTime(card.dateLastActivity, createdAt(card.id)),
});

export default implement(ticketing, {
  listTickets: list({
    // https://developer.atlassian.com/cloud/trello/guides/rest-api/api-introduction/#paging
    maxPageSize: 1000,
    // The cards that the user is a member of could be read in one list, but a team works on the cards of all its boards.
    // The boards are requested with their lists, so that no page has to look up the names of lists.
    async places({ upstream }): Promise<TrelloPlace[]> {
      const query = { filter: "open", fields: "name", lists: "all" };
      const { body } = await upstream<TrelloBoard[]>(get("/members/me/boards", query));
      return body.map(({ id, lists }) => ({ id, lists: new Map(lists.map((list) => [list.id, list.name])) }));
    },
    // A page has the newest cards before `before`, but in their order on the board.
    items: (body: TrelloCard[]) => body.toSorted(newestFirst),
    next: ({ body }: Answer<TrelloCard[]>, { limit }: { limit: number }) =>
      body.length < limit ? null : body.toSorted(newestFirst).at(-1)?.id,
    request: ({ limit, cursor, place }) =>
      get(path`/boards/${place.id}/cards`, { filter: "all" }, { limit, before: cursor, since: undefined }),
    record: (card, { place }) => toTicket(card, place),
  }),
});
