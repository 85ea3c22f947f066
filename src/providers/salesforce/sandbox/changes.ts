import { changeableList } from "../../../emulator-kit/index.ts";
import { type State, salesforceTime, withSuffix } from "./data.ts";
import { NOTE } from "./fields.ts";

const rows = (
  object: keyof State,
  named: (title: string) => Record<string, string>,
  keeps: (state: State) => Iterable<unknown> = () => [],
) =>
  changeableList({
    items: (state: State) => state[object],
    isShown: ({ IsDeleted }) => !IsDeleted,
    keeps,
    id: ({ Id }) => String(Id),
    update: ({ title, now }) => {
      const time = salesforceTime(now);
      return { ...named(title), [NOTE]: title, LastModifiedDate: time, SystemModstamp: time };
    },
    // The first characters of an id name its object.
    create: ({ nth, now }, { Id }) => ({
      Id: withSuffix(`${String(Id).slice(0, 3)}5g${String(nth).padStart(10, "1")}`),
      CreatedDate: salesforceTime(now),
    }),
    markDeleted: ({ now }) => ({ IsDeleted: true, SystemModstamp: salesforceTime(now) }),
  });

const accountsInUse = ({ Contact, Opportunity }: State) =>
  [...Contact, ...Opportunity].map(({ AccountId }) => AccountId);

export const changes = {
  "crm.listContacts": rows("Contact", (title) => ({ FirstName: "New", LastName: title, Name: `New ${title}` })),
  "crm.listCompanies": rows("Account", (title) => ({ Name: title }), accountsInUse),
  "crm.listDeals": rows("Opportunity", (title) => ({ Name: title })),
};
