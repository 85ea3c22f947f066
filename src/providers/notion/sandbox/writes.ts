import { countWritten, uuid } from "../../../emulator-kit/index.ts";
import { newComment, newPage, people, type SandboxPage, type SandboxSource, type State, value } from "./data.ts";
import { refuseBody } from "./errors.ts";
import { option, type Property } from "./property.ts";
import { type SandboxText, text } from "./text.ts";

// biome-ignore lint/suspicious/noExplicitAny: a client may send anything
type Sent = any;

const MAX_PIECE = 2_000;
const MAX_PIECES = 100;

/** Times are exact to the minute. */
export const toMinute = (date: Date) => new Date(Math.floor(date.getTime() / 60_000) * 60_000).toISOString();
const now = () => toMinute(new Date());

function texts(pieces: Sent[]): SandboxText[] {
  if (pieces.length > MAX_PIECES) refuseBody(`rich_text.length should be ≤ \`${MAX_PIECES}\``);
  return pieces.map(({ text: { content = "", link } = {}, annotations }: Sent) => {
    if (content.length > MAX_PIECE) refuseBody(`text.content.length should be ≤ \`${MAX_PIECE}\``);
    return text(content, annotations, link?.url ?? null);
  });
}

type Options = { options?: ReturnType<typeof option>[] };
const optionsOf = (property: Property) => (property[property.type] as Options).options ?? [];

/** An option that does not exist is made, except for a status. */
function optionOf(property: Property, name: string, index = 0) {
  const known = optionsOf(property).find((one) => one.name === name);
  if (!known && property.type === "status") refuseBody(`Status option "${name}" does not exist".`);
  return known ?? option(uuid(90_000 + index), name);
}

/** What each type of property makes of what a client sends. */
const WRITTEN: Record<string, (sent: Sent, property: Property) => unknown> = {
  title: texts,
  rich_text: texts,
  status: ({ name }, property) => optionOf(property, name),
  select: (sent, property) => sent && optionOf(property, sent.name),
  multi_select: (sent: { name: string }[], property) =>
    sent.map(({ name }, index) => optionOf(property, name, index + 1)),
  people: (sent: { id: string }[]) =>
    sent.map(({ id }) => people.find((person) => person.id === id) ?? { object: "user", id }),
  date: (sent) => sent && { start: sent.start, end: null, time_zone: null },
  number: (sent) =>
    sent === null || typeof sent === "number" ? sent : refuseBody("number should be a number or `null`."),
  relation: (sent) => sent,
  checkbox: (sent) => sent,
};

/** All properties are checked before any is written. */
function change(page: SandboxPage, source: SandboxSource, sent: Record<string, Sent> = {}): SandboxPage {
  const properties = Object.entries(sent).map(([name, values]) => {
    const property = source.properties[name] ?? refuseBody(`${name} is not a property that exists.`);
    if (values[property.type] === undefined) refuseBody(`${name} is expected to be ${property.type}.`);
    return [name, value(property, WRITTEN[property.type]!(values[property.type], property))];
  });
  return Object.assign(page, {
    properties: { ...page.properties, ...Object.fromEntries(properties) },
    last_edited_time: now(),
  });
}

export const updatePage = (page: SandboxPage, sent: Record<string, Sent>, { sources }: State) =>
  change(page, sources.find(({ id }) => id === page.parent.data_source_id)!, sent);

/** What is not given is empty, and a status has its first option. */
function emptyContent(property: Property): unknown {
  if (property.type === "status") return optionsOf(property)[0];
  if (["date", "select", "email", "number"].includes(property.type)) return null;
  return property.type === "checkbox" ? false : [];
}

export function createPage(source: SandboxSource, sent: Record<string, Sent>, state: State): SandboxPage {
  const page = change(newPage(uuid(400_000 + countWritten(state)), source, emptyContent, now()), source, sent);
  state.pages.push(page);
  return page;
}

export function createComment({ id }: SandboxPage, pieces: Sent[], state: State) {
  const written = countWritten(state);
  const comment = newComment(uuid(200_000 + written), id, uuid(300_000 + written), texts(pieces), now());
  state.comments.set(id, [...(state.comments.get(id) ?? []), comment]);
  return comment;
}
