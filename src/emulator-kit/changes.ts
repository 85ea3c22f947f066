import type { ChangeableList, ChangeKind, ChangeRequest } from "../contracts/emulator.ts";

/** One change on command. */
interface Change {
  /** Counts the changes at this provider, from 1. */
  nth: number;
  /** A title for the record, which no other change has. */
  title: string;
  now: Date;
  /** The same in ISO 8601 with milliseconds. */
  time: string;
}

type Parameters = Record<string, string>;

interface ListOptions<State, Item extends object> {
  parameters?(state: State): Record<string, string | undefined>;
  /** Where the state has the records; undefined if a parameter names something that does not exist. */
  items(state: State, parameters: Parameters): Item[] | undefined;
  /** Which of these the list shows. Default: all. */
  isShown?(item: Item): boolean;
  /** The same, if it depends on the state or on parameters. */
  shows?(state: State, parameters: Parameters): (item: Item) => boolean;
  /** The id that Unified shows. Default: the record's `id` as text. */
  id?(item: Item, parameters: Parameters): string | number;
  /** The fields that an update changes; a new record has them as well. */
  update(change: Change, item: Item): Partial<Item>;
  /** The other fields that a new record does not share with the one that it is a copy of: id, time of creation. */
  create(change: Change, copied: Item, state: State, parameters: Parameters): Partial<Item>;
  /** The fields that mark a record as deleted. Default: it is removed. */
  markDeleted?(change: Change): Partial<Item>;
  /** New records come first. */
  newestFirst?: boolean;
  /** New and updated records come first. */
  updatedFirst?: boolean;
  /** What a new record is a copy of if the list is empty. */
  sample?(state: State, parameters: Parameters): Item | undefined;
  /** Ids of records that are never deleted, because others depend on them. Default: none. */
  keeps?(state: State): Iterable<unknown>;
  /** What the state needs for a new record besides the record itself. */
  onCreate?(item: Item, state: State, parameters: Parameters): void;
  impossible?: Partial<Record<ChangeKind, string>>;
}

/** A list whose records are an array in the state of an emulator. Several operations may show the same list. */
export function changeableList<State, Item extends object>(options: ListOptions<State, Item>): ChangeableList<State> {
  const { items, isShown = () => true, shows = () => isShown, keeps = () => [], impossible = {} } = options;
  const { id: idOf = (item: object) => String((item as { id?: unknown }).id) } = options;

  return {
    ...(options.parameters && { parameters: options.parameters }),
    impossible,
    change(state, request) {
      const { parameters, now } = request;
      const all = items(state, parameters);
      if (!all) return { problem: `there is no list with the parameters ${JSON.stringify(parameters)}` };
      const shown = all.filter(shows(state, parameters));
      const kept = new Set(keeps(state));
      const chosen = choose(shown, (item) => !kept.has(idOf(item, parameters)), request);
      if ("problem" in chosen) return chosen;
      const copied = shown[0] ?? options.sample?.(state, parameters);
      if (request.create > 0 && !copied) return { problem: "create: the list is empty, so there is no record to copy" };

      const next = (verb: string): Change => {
        const nth = ++request.counter.made;
        return { nth, title: `${verb} on command ${nth}`, now, time: now.toISOString() };
      };
      const taken = new Set(all.map((item) => idOf(item, parameters)));
      const created: Item[] = [];
      while (created.length < request.create) {
        const change = next("Created");
        const item = {
          ...copied!,
          ...options.update(change, copied!),
          ...options.create(change, copied!, state, parameters),
        };
        // A record that a client created may have this id already.
        if (taken.has(idOf(item, parameters))) continue;
        taken.add(idOf(item, parameters));
        created.push(item);
      }
      for (const item of chosen.updated) Object.assign(item, options.update(next("Updated"), item));
      const { newestFirst = false, updatedFirst = false, markDeleted } = options;
      if (markDeleted) for (const item of chosen.deleted) Object.assign(item, markDeleted(next("Deleted")));
      const isRemoved = (item: Item) => !markDeleted && chosen.deleted.has(item);
      const first = new Set(updatedFirst ? chosen.updated : []);
      const rest = all.filter((item) => !isRemoved(item) && !first.has(item));
      replaceContent(
        all,
        newestFirst || updatedFirst ? [...created.toReversed(), ...first, ...rest] : [...rest, ...created],
      );
      for (const item of created) options.onCreate?.(item, state, parameters);
      const ids = (changed: Iterable<Item>) => Array.from(changed, (item) => idOf(item, parameters));
      return { created: ids(created), updated: ids(chosen.updated), deleted: ids(chosen.deleted) };
    },
  };
}

/**
 * Chooses different records for updates and deletes. It starts in the middle, because the first records of the sandbox
 * are those that others depend on, and goes on where the changes before ended, so that all records have their turn.
 */
function choose<Item>(
  shown: readonly Item[],
  mayDelete: (item: Item) => boolean,
  { update, delete: deletes, counter }: ChangeRequest,
): { updated: Set<Item>; deleted: Set<Item> } | { problem: string } {
  const start = Math.floor(shown.length / 2) + counter.made;
  const inTurn = shown.map((_, index) => shown[(start + index) % shown.length]!);
  // Those that may be deleted first: there may be few of them.
  const deleted = new Set(inTurn.filter(mayDelete).slice(0, deletes));
  if (deleted.size < deletes) return { problem: `delete must be at most ${deleted.size}: ${available(shown)}` };
  const updated = new Set(inTurn.filter((item) => !deleted.has(item)).slice(0, update));
  if (updated.size < update)
    return { problem: `update must be at most ${updated.size}: ${available(shown)}, of which ${deletes} are deleted` };
  return { updated, deleted };
}

const available = (shown: readonly unknown[]) => `the list has ${shown.length} records that can be changed`;

/** In place, because the emulator may refer to the array from elsewhere. */
function replaceContent<Item>(all: Item[], content: Item[]): void {
  all.length = content.length;
  for (const [index, item] of content.entries()) all[index] = item;
}

/** The lists of a provider of tasks. Its tickets are another view of the tasks, which cannot be limited to a project. */
export const taskLists = <State>(
  tasks: ChangeableList<State>,
  projects: ChangeableList<State>,
  comments: ChangeableList<State>,
): Record<string, ChangeableList<State>> => ({
  "tasks.listTasks": tasks,
  "ticketing.listTickets": { ...tasks, parameters: () => ({}) },
  "tasks.listProjects": projects,
  "ticketing.listProjects": projects,
  "tasks.listComments": comments,
});

/** The lists of a help desk. */
export const helpdeskLists = <State>(
  tickets: ChangeableList<State>,
  comments: ChangeableList<State>,
  customers: ChangeableList<State>,
): Record<string, ChangeableList<State>> => ({
  "helpdesk.listTickets": tickets,
  "ticketing.listTickets": tickets,
  "helpdesk.listComments": comments,
  "helpdesk.listCustomers": customers,
});

/** The lists of a chat. */
export const chatLists = <State>(
  users: ChangeableList<State>,
  channels: ChangeableList<State>,
  messages: ChangeableList<State>,
): Record<string, ChangeableList<State>> => ({
  "chat.listUsers": users,
  "chat.listChannels": channels,
  "chat.listMessages": messages,
});

/** One of several lists. If what it belongs to exists, it is there from now on. */
export function listAt<Item>(lists: Map<string, Item[]>, key: string, exists: boolean): Item[] | undefined {
  if (exists && !lists.has(key)) lists.set(key, []);
  return lists.get(key);
}

/** The first of several lists that has records: its key, by default, and its first record, as a sample. */
export function firstFilled<Key, Item>(
  lists: Iterable<readonly [Key, Item[]]>,
): { key: Key; sample: Item } | undefined {
  for (const [key, [sample]] of lists) if (sample !== undefined) return { key, sample };
  return undefined;
}

/** Lists of records that belong to others, such as comments, by the key of these. Default: the first that has records. */
export const listsByKey = <State, Key extends string | number, Item>(
  parameter: string,
  lists: (state: State) => Map<Key, Item[]>,
) => ({
  items: (state: State, { [parameter]: key }: Parameters) =>
    lists(state).get(key as Key) ?? lists(state).get(Number(key) as Key),
  parameters: (state: State) => ({ [parameter]: firstFilled(lists(state))?.key.toString() }),
  sample: (state: State) => firstFilled(lists(state))?.sample,
});

/** The parameters of a list of events. The default window is the one of the API's documentation. */
export const eventParameters = () => ({
  starts_after: "2026-01-01T00:00:00Z",
  starts_before: "2026-07-01T00:00:00Z",
  calendar_id: undefined,
});

/** The window of a list of events, in milliseconds; undefined if it is invalid or empty. */
export function eventWindow({ starts_after, starts_before }: Parameters): { from: number; to: number } | undefined {
  const [from, to] = [Date.parse(starts_after!), Date.parse(starts_before!)];
  return from < to ? { from, to } : undefined;
}
