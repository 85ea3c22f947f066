import { type Ticket, ticketing } from "../../categories/ticketing.ts";
import type { Place } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get, path } from "../../provider-kit/request.ts";
import { firstTime, isoSeconds } from "../../provider-kit/time.ts";

// Only what is read here; a client may ask for other fields, and then these are missing.
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
  /** Names of its lists by their ids. */
  lists: ReadonlyMap<string, string>;
}

/** An id begins with the time of its making, in seconds: https://support.atlassian.com/trello/docs/getting-the-time-a-card-or-board-was-created/ */
const madeAt = (id: string) => isoSeconds(Number.parseInt(id.slice(0, 8), 16));

const newestFirst = (one: TrelloCard, other: TrelloCard) => (one.id < other.id ? 1 : -1);

export const toTicket = (card: TrelloCard, { lists }: Pick<TrelloPlace, "lists">): Ticket => ({
  id: card.id,
  title: card.name ?? "",
  status: card.closed ? "closed" : (lists.get(card.idList ?? "") ?? ""),
  url: card.url ?? `https://trello.com/c/${card.id}`,
  description: card.desc || null,
  created_at: firstTime(madeAt(card.id)),
  updated_at: firstTime(card.dateLastActivity, madeAt(card.id)),
});

export default implement(ticketing, {
  listTickets: list({
    // https://developer.atlassian.com/cloud/trello/guides/rest-api/api-introduction/#paging
    maxPageSize: 1000,
    // Cards that have the user as a member could be had in one list; those of all boards are what a team works on. The
    // boards come with their lists, so that no page has to ask for the names behind the cards' places.
    async places({ upstream }): Promise<TrelloPlace[]> {
      const query = { filter: "open", fields: "name", lists: "all" };
      const { body } = await upstream<TrelloBoard[]>(get("/members/me/boards", query));
      return body.map(({ id, lists }) => ({ id, lists: new Map(lists.map((list) => [list.id, list.name])) }));
    },
    // A page has the newest cards before `before`, but in the order in which they stand on the board.
    items: (body: TrelloCard[]) => body.toSorted(newestFirst),
    next: ({ body }: Answer<TrelloCard[]>, { limit }: { limit: number }) =>
      body.length < limit ? null : body.toSorted(newestFirst).at(-1)?.id,
    request: ({ limit, cursor, place }) =>
      get(path`/boards/${place.id}/cards`, { filter: "all" }, { limit, before: cursor, since: undefined }),
    record: (card, { place }) => toTicket(card, place),
  }),
});
