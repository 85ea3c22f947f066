import { type Ticket, ticketing } from "../../categories/ticketing.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get, path } from "../../provider-kit/request.ts";
import { firstTime } from "../../provider-kit/time.ts";

// Only the fields that are read here. A field that is missing from a response counts as null.
export interface ClickUpTask {
  id: string;
  name: string;
  text_content?: string | null;
  description?: string | null;
  status?: { status: string } | null;
  /** A Unix timestamp in milliseconds, as a string. */
  date_created?: string | null;
  date_updated?: string | null;
  url?: string;
}
export interface ClickUpPage {
  tasks: ClickUpTask[];
  last_page?: boolean;
}

const milliseconds = (text: string | null | undefined) => (text ? Number(text) : null);

export const toTicket = (task: ClickUpTask): Ticket => ({
  id: task.id,
  title: task.name,
  status: task.status?.status ?? "",
  url: task.url ?? `https://app.clickup.com/t/${task.id}`,
  description: task.text_content || task.description || null,
  created_at: firstTime(milliseconds(task.date_created)),
  updated_at: firstTime(milliseconds(task.date_updated), milliseconds(task.date_created)),
});

export default implement(ticketing, {
  listTickets: list({
    // https://developer.clickup.com/reference/getfilteredteamtasks
    maxPageSize: 100,
    ignoresPageSize: true,
    async places({ upstream }) {
      const { body } = await upstream<{ teams: { id: string }[] }>(get("/team"));
      return body.teams.map(({ id }) => ({ id }));
    },
    items: (body: ClickUpPage) => body.tasks,
    // Not every response has `last_page`. Hidden tasks can make a page shorter, so only an empty page is the last one.
    next: ({ body }: Answer<ClickUpPage>, { cursor = 0 }: { cursor: number | undefined }) =>
      (body.last_page ?? body.tasks.length === 0) ? null : cursor + 1,
    // Closed tasks and subtasks are left out by default.
    request: ({ cursor = 0, place }) =>
      get(path`/team/${place.id}/task`, { include_closed: true, subtasks: true }, { page: cursor }),
    record: toTicket,
  }),
});
