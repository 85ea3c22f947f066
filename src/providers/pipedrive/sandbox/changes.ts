import { changeableList } from "../../../emulator-kit/changes.ts";
import { toSecond } from "../../../emulator-kit/data.ts";
import type { SandboxItem, State } from "./data.ts";

const items = <Item extends SandboxItem>(
  pick: (state: State) => Item[],
  named: (title: string) => Partial<Item>,
  keeps: (state: State) => Iterable<unknown> = () => [],
) =>
  changeableList<State, SandboxItem>({
    items: pick,
    shows: () => (item) => !item.is_deleted,
    keeps,
    id: ({ id }) => String(id),
    update: ({ title, now }) => ({ ...named(title), update_time: toSecond(now) }),
    create: ({ nth, now }) => ({ id: 100_000 + nth, add_time: toSecond(now) }),
    markDeleted: ({ now }) => ({ is_deleted: true, update_time: toSecond(now) }),
  });

const organizationsInUse = ({ persons, deals }: State) => [...persons, ...deals].map(({ org_id }) => String(org_id));

export const changes = {
  "crm.listContacts": items(
    ({ persons }) => persons,
    (name) => ({ name, first_name: name, last_name: null }),
  ),
  "crm.listCompanies": items(
    ({ organizations }) => organizations,
    (name) => ({ name }),
    organizationsInUse,
  ),
  "crm.listDeals": items(
    ({ deals }) => deals,
    (title) => ({ title }),
  ),
};
