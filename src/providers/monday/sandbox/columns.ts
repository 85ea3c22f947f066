// Columns and their values: https://developer.monday.com/api-reference/reference/column-types-reference
import { invalidValue } from "./errors.ts";

export const SITE = "https://sandbox.monday.com";

const user = (number: number, name: string, email: string) => ({
  id: String(70_000_000 + number),
  name,
  email,
  title: "",
  url: `${SITE}/users/${70_000_000 + number}`,
});
const photo = (size: string) => `https://files.monday.com/use1/photos/1/${size}/sandra.png`;
export const me = {
  ...user(1, "Sandra Box", "sandra@example.com"),
  photo_url: { original: photo("original"), small: photo("small") },
};
export const people = [me, user(2, "Zoë Müller", "zoe@example.com"), user(3, "Groß, Jürgen", "juergen@example.com")];
export const TEAM = { id: "900", name: "Rockets 🚀" };

export const TAGS = [
  { id: "1", name: "bug", color: "#ff0000" },
  { id: "2", name: "grüße 👋", color: "#00ff00" },
];

/** The labels of a status column, at the index that the board gives them. Those that count as done are marked. */
export const labels = (texts: (string | null)[], done: string[] = []) =>
  texts.flatMap((label, index) => (label === null ? [] : [{ id: index, index, label, is_done: done.includes(label) }]));

interface Settings {
  labels?: ReturnType<typeof labels>;
  /** Where subitems are. */
  boardIds?: number[];
}
export const column = (id: string, type: string, title: string, settings: Settings = {}) => {
  return { id, type, title, settings };
};
export type Column = ReturnType<typeof column>;

/** What a client may write to a column, depending on its type. */
export interface Given {
  label?: string | null;
  date?: string;
  time?: string;
  from?: string;
  to?: string;
  text?: string | null;
  checked?: string | null;
  labels?: string[];
  tag_ids?: number[];
  personsAndTeams?: { id: number | string; kind: string }[];
}

function statusValue({ settings: { labels = [] } }: Column, label: string | null, at: string) {
  const found = labels.find((known) => known.label === label);
  if (label !== null && !found)
    throw invalidValue(
      `This status label doesn't exist, possible statuses are: {${labels.map((known) => `${known.index}: ${known.label}`).join(", ")}}`,
    );
  return { text: label, label, is_done: found?.is_done ?? null, updated_at: found ? at : null };
}

function numbersValue(text: string) {
  if (Number.isNaN(Number(text))) throw invalidValue("Invalid value, please check our API documentation");
  return { text, number: text === "" ? null : Number(text) };
}

function dropdownValue({ settings: { labels = [] } }: Column, chosen: string[]) {
  const values = chosen.map((label) => {
    const found = labels.find((known) => known.label === label);
    if (!found) throw invalidValue(`The dropdown label '${label}' does not exist`);
    return { id: String(found.id), label };
  });
  return { values, text: chosen.join(", ") };
}

const joined = (named: { name: string }[]) => named.map(({ name }) => name).join(", ");

function peopleValue(entities: NonNullable<Given["personsAndTeams"]>) {
  const found = entities.map(({ id, kind }) => {
    const known = [...people, TEAM].find((one) => one.id === String(id));
    if (!known) throw invalidValue(`User ${id} is not a member of the account`);
    return { id: known.id, kind, name: known.name };
  });
  return { persons_and_teams: found, text: joined(found) };
}

/** What each type of column makes of what it is given: an empty value if that is nothing. */
const VALUES: Record<string, (given: Given, column: Column, at: string) => { text: string | null }> = {
  StatusValue: ({ label = null }, column, at) => statusValue(column, label, at),
  DateValue: ({ date = null, time = null }) => ({
    date,
    time,
    text: [date, time?.slice(0, 5)].filter(Boolean).join(" "),
  }),
  TimelineValue: ({ from = null, to = null }) => ({ from, to, text: from ? `${from} - ${to}` : "" }),
  PeopleValue: ({ personsAndTeams = [] }) => peopleValue(personsAndTeams),
  TagsValue({ tag_ids = [] }) {
    const tags = TAGS.filter(({ id }) => tag_ids.includes(Number(id)));
    return { tags, text: joined(tags) };
  },
  LongTextValue: ({ text = null }) => ({ text }),
  NumbersValue: ({ text }) => numbersValue(text ?? ""),
  TextValue: ({ text = "" }) => ({ text }),
  CheckboxValue: ({ checked }) => ({ checked: checked === "true", text: checked === "true" ? "v" : "" }),
  DropdownValue: ({ labels: chosen = [] }, column) => dropdownValue(column, chosen),
};

/** `long_text` has the type `LongTextValue`. */
const typeName = (type: string) => `${type.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())}Value`;

export function columnValue(column: Column, given: Given, at: string) {
  const __typename = typeName(column.type);
  return { __typename, ...VALUES[__typename]!(given, column, at), id: column.id, type: column.type, column };
}
