import type { HookedList } from "../contracts/hooks.ts";

/** The repository of a list. A short name is looked up with each call, but a hook needs the full one. */
export const hookedRepository = ({ repo = "" }: Readonly<Record<string, string>>): string | undefined =>
  repo.includes("/") ? repo : undefined;

/** The lists of a provider of tasks that its hooks concern. Its tickets are another view of the tasks. */
export function hookedTaskLists({
  tasks,
  projects,
  comments,
}: {
  tasks: HookedList;
  projects?: HookedList;
  comments?: HookedList;
}): Record<string, HookedList> {
  return {
    "tasks.listTasks": tasks,
    "ticketing.listTickets": tasks,
    ...(projects && { "tasks.listProjects": projects, "ticketing.listProjects": projects }),
    ...(comments && { "tasks.listComments": comments }),
  };
}
