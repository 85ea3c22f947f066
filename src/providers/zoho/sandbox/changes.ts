import { changeableList } from "../../../emulator-kit/index.ts";
import { type State, zohoTime } from "./data.ts";
import { NOTE } from "./fields.ts";

const records = (
  module: keyof State,
  named: (title: string) => Record<string, string | null>,
  keeps: (state: State) => Iterable<unknown> = () => [],
) =>
  changeableList({
    items: (state: State) => state[module],
    keeps,
    update: ({ title, now }) => ({ ...named(title), [NOTE]: title, Modified_Time: zohoTime(now) }),
    create: ({ nth, now }) => ({
      id: String(572_576_800_000_000_000n + BigInt(nth)),
      Created_Time: zohoTime(now),
    }),
    newestFirst: true,
  });

const accountsInUse = ({ Contacts, Deals }: State) =>
  [...Contacts, ...Deals].map(({ Account_Name }) => (Account_Name as { id: string } | null)?.id);

export const changes = {
  "crm.listContacts": records("Contacts", (title) => ({ First_Name: null, Last_Name: title, Full_Name: title })),
  "crm.listCompanies": records("Accounts", (title) => ({ Account_Name: title }), accountsInUse),
  "crm.listDeals": records("Deals", (title) => ({ Deal_Name: title })),
};
