import { setTimeout as sleep } from "node:timers/promises";
import Type, { type Static } from "typebox";
import { eventTypes } from "../../categories/event-types.ts";
import { coversType, type LoggedEvent, TEST_EVENT_TYPE } from "../../contracts/events.ts";
import { invalidInput } from "../../contracts/fault.ts";
import { likelyName } from "../../runtime/likely-name.ts";
import { EventPage } from "../shared/platform-records/event.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute } from "./route.ts";
import { Filter, Paging } from "./schemas.ts";
import { visibleConnectionIds } from "./visible.ts";

const MAX_WAIT_SECONDS = 30;
/** How often to look for new events while a client waits. */
const LOOK_EVERY_MS = 500;

const ListEvents = Type.Object({
  limit: Paging.limit,
  after: Filter(
    "`next` of the previous page; `latest` for events from now on; without it, from the oldest event that is kept",
  ),
  before: Filter(
    "newest first: `latest`, then `next` of the previous page. Not together with `after`. An empty page is the end",
  ),
  type: Filter(
    "only events of these types, separated by commas; `tasks.*` matches every type that starts with `tasks.`",
    4_000,
  ),
  connection_id: Filter("only events about this connection"),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
      default: 0,
      description: "With `after`: for how many seconds to wait if there is no event yet",
    }),
  ),
});

const LATEST = "latest";

export function eventRoutes(app: PlatformApp, { store, operations }: PlatformOptions): void {
  const route = describeRoute("Events");
  const known = [...eventTypes(operations), TEST_EVENT_TYPE];
  // Clients that wait do not delay a shutdown.
  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());

  app.get(
    "/v1/events",
    {
      schema: route("listEvents", "events:read", "List events in the order in which they happened", {
        querystring: ListEvents,
        200: EventPage,
        description: "Events appear within about a second, and are kept for `EVENT_RETENTION_DAYS` (7 days).",
      }),
    },
    async (request) => {
      const { workspace, query } = request;
      const { limit = 50, after, before, type, connection_id, wait = 0 }: Static<typeof ListEvents> = query;
      if (after !== undefined && before !== undefined)
        throw invalidInput({ path: ["before"], message: "Cannot be combined with after" });
      if (wait > 0 && before !== undefined)
        throw invalidInput({ path: ["wait"], message: "Cannot be combined with before" });
      // Somebody who waits for events asks all the time: nobody's calls would be found among these.
      if (wait > 0) request.trace.logged = false;
      const connection_ids = await visibleConnectionIds(store, request.caller, { connection_id });
      const filter = {
        ...(type === undefined || type === "*" ? {} : { types: readTypes(type, known) }),
        ...(connection_ids ? { connection_ids } : {}),
      };
      if (before !== undefined) {
        const position = before === LATEST ? Number.MAX_SAFE_INTEGER : readCursor(before, "before");
        const found = await store.events.list(workspace.id, { before: position, limit }, filter);
        return toPage(found.events, found.position);
      }
      const until = Date.now() + wait * 1000;
      const isOver = () => Date.now() >= until || request.raw.socket.destroyed || closing.signal.aborted;
      let position = after === undefined ? 0 : after === LATEST ? undefined : readCursor(after, "after");
      if (position === undefined) position = await store.events.newest(workspace.id);
      for (;;) {
        const found = await store.events.list(workspace.id, { after: position, limit }, filter);
        position = found.position;
        if (found.events.length > 0 || isOver()) return toPage(found.events, position);
        await sleep(LOOK_EVERY_MS, undefined, { signal: closing.signal }).catch(() => {});
      }
    },
  );
}

const toPage = (events: readonly LoggedEvent[], position: number) => ({
  data: events.map(({ id, type, created_at, connection_id, data }) => ({
    id,
    type,
    timestamp: created_at,
    connection_id,
    data,
  })),
  next: writeCursor(position),
});

/** Not signed, because a reader may keep it for long: it has to outlive the encryption keys, and opens nothing. */
const writeCursor = (position: number) => Buffer.from(`events ${position}`).toString("base64url");

function readCursor(cursor: string, name: string): number {
  const [, position] = /^events (\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (position === undefined || writeCursor(Number(position)) !== cursor)
    throw invalidInput({ path: [name], message: "Must be `next` of the previous page, or `latest`" });
  return Number(position);
}

function readTypes(text: string, known: readonly string[]): string[] {
  const patterns = text.split(",").map((pattern) => pattern.trim());
  const unknown = patterns.filter((pattern) => !known.some((type) => coversType(pattern, type)));
  if (unknown.length > 0) throw invalidInput({ path: ["type"], message: unknownTypes(unknown, known) });
  return known.filter((type) => patterns.some((pattern) => coversType(pattern, type)));
}

/** There are about a hundred types: the message has what was probably meant, and how types start. */
export function unknownTypes(unknown: readonly string[], known: readonly string[]): string {
  const named = unknown.map((pattern) => {
    const meant = likelyName(pattern, known);
    return meant ? `${pattern} (did you mean ${meant}?)` : pattern;
  });
  const prefixes = new Set(known.map((type) => type.slice(0, type.indexOf("."))));
  return `Unknown event types: ${named.join(", ")}. Valid: a type such as connection.invalid or tasks.task.updated, a prefix such as tasks.*, or * for all. Prefixes: ${[...prefixes].join(", ")}`;
}
