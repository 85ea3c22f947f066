import { changeableList, toSecond } from "../../../emulator-kit/index.ts";
import type { SandboxItem, State } from "./data.ts";
import { NOTE } from "./fields.ts";

const items = <Item extends SandboxItem>(
  items: (state: State) => Item[],
  named: (title: string) => Partial<Item>,
  keeps: (state: State) => Iterable<unknown> = () => [],
) =>
  changeableList<State, SandboxItem>({
    items,
    isShown: ({ is_deleted }) => !is_deleted,
    keeps,
    update: ({ title, now }, { custom_fields }) => ({
      ...named(title),
      custom_fields: { ...custom_fields, [NOTE]: title },
      update_time: toSecond(now),
    }),
    create: ({ nth, now }) => ({ id: 100_000 + nth, add_time: toSecond(now) }),
    markDeleted: ({ now }) => ({ is_deleted: true, update_time: toSecond(now) }),
  });

const persons = items(
  ({ persons }) => persons,
  (name) => ({ name, first_name: name, last_name: null }),
);
const organizations = items(
  ({ organizations }) => organizations,
  (name) => ({ name }),
  ({ persons, deals }) => [...persons, ...deals].map(({ org_id }) => String(org_id)),
);
const deals = items(
  ({ deals }) => deals,
  (title) => ({ title }),
);

export const changes = { "crm.listContacts": persons, "crm.listCompanies": organizations, "crm.listDeals": deals };
