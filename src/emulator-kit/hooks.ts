import type { EmulatedHook } from "../contracts/emulator.ts";

/** A hook in an emulator, with what the emulator itself wants to remember of it. */
export type RegisteredHook<Extra extends object = object> = EmulatedHook &
  Extra & {
    id: string;
    /** Undefined if it does not expire. */
    expires?: Date | undefined;
  };

/** What a provider signs with, if it uses a secret of the application: that of ready-made integrations, or `hook_secret`. */
export const CLIENT_SECRET = "sandbox";
export const HOOK_SECRET = "sandbox-hook-secret";

/** What the lists of a provider of tasks have. */
export const taskRecords: Record<string, "task" | "project" | "comment"> = {
  "tasks.listTasks": "task",
  "ticketing.listTickets": "task",
  "tasks.listProjects": "project",
  "ticketing.listProjects": "project",
  "tasks.listComments": "comment",
};

/** The hooks that are registered at an emulated provider. */
export function hookRegistry<Extra extends object = object>() {
  const registries = new WeakMap<object, Map<string, RegisteredHook<Extra>>>();
  const made = { count: 0 };
  const all = (state: object): Map<string, RegisteredHook<Extra>> => {
    const found = registries.get(state) ?? new Map();
    registries.set(state, found);
    return found;
  };
  const hasExpired = ({ expires }: { expires?: Date | undefined }, now: Date) =>
    expires !== undefined && expires <= now;
  return {
    /** Whole numbers, as many providers have them. */
    nextId: (): string => String(700_000_000 + ++made.count),
    add(state: object, hook: RegisteredHook<Extra>): RegisteredHook<Extra> {
      all(state).set(hook.id, hook);
      return hook;
    },
    find(state: object, id: string): RegisteredHook<Extra> | undefined {
      const hook = all(state).get(id);
      return hook && !hasExpired(hook, new Date()) ? hook : undefined;
    },
    remove: (state: object, id: string): boolean => all(state).delete(id),
    /** For `EmulatedHooks.registered`. */
    registered: (state: object, now: Date): RegisteredHook<Extra>[] =>
      [...all(state).values()].filter((hook) => !hasExpired(hook, now)),
  };
}
