import { crm } from "../../categories/crm.ts";
import { joinName, toContact } from "../../provider-kit/contact.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";

// Only the fields that are read.
export interface PipedrivePerson {
  id: number;
  name?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  emails?: { value?: string; primary?: boolean }[] | null;
}
export interface PipedrivePage {
  data?: PipedrivePerson[] | null;
  additional_data?: { next_cursor?: string | null } | null;
}

/** The primary address, otherwise the first one. */
const addressOf = ({ emails }: PipedrivePerson) => (emails?.find(({ primary }) => primary) ?? emails?.[0])?.value;

export default implement(crm, {
  listContacts: list({
    maxPageSize: 500,
    items: (body: PipedrivePage) => body.data ?? [],
    next: ({ body }: { body: PipedrivePage }) => body.additional_data?.next_cursor,
    // `start` belongs to the paging of version 1.
    request: ({ limit, cursor }) => get("/persons", {}, { limit, cursor, start: undefined }),
    record: (person: PipedrivePerson) =>
      toContact(String(person.id), addressOf(person), person.name, joinName(person.first_name, person.last_name)),
  }),
});
