import { type Contact, type Context, toContact } from "../../provider-kit/index.ts";

// Only the fields that are read.
export interface PipedriveItem {
  id: number;
  add_time?: string | null;
  update_time?: string | null;
}
/** One of several addresses or numbers. */
export type Values = { value?: string; primary?: boolean; label?: string }[] | null;

export interface PipedrivePerson extends PipedriveItem {
  name?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  emails?: Values;
  phones?: Values;
  org_id?: number | null;
}

/** The primary one, otherwise the first one. */
export const mainOf = (values: Values | undefined) => values?.find(({ primary }) => primary) ?? values?.[0];
export const idOf = (id: number | null | undefined) => (id == null ? null : String(id));

export type Settings = Pick<Context, "settings">;

/** What the records of every list have. */
export const restOf = (page: string, { id, add_time, update_time }: PipedriveItem, { settings }: Settings) => ({
  id: String(id),
  url: `https://${settings.company}.pipedrive.com/${page}/${id}`,
  created_at: add_time,
  updated_at: update_time,
});

export const contactRecord = (person: PipedrivePerson, context: Settings): Contact =>
  toContact({
    ...restOf("person", person, context),
    email: mainOf(person.emails)?.value,
    names: [person.name],
    first_name: person.first_name,
    last_name: person.last_name,
    phone: mainOf(person.phones)?.value,
    company_id: idOf(person.org_id),
  });
