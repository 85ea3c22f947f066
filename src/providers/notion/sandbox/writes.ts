import { uuid } from "../../../emulator-kit/data.ts";
import { countWritten } from "../../../emulator-kit/emulator.ts";
import { BOT, type Comment, people, type SandboxPage, type SandboxSource, type State } from "./data.ts";
import { type SandboxText, text } from "./text.ts";

/** Why a write is refused: the message of a validation error. */
export interface Problem {
  problem: string;
}

interface TextRequest {
  text?: { content?: string; link?: { url: string } | null };
  annotations?: Parameters<typeof text>[1];
}

const MAX_PIECE = 2_000;

/** Times are exact to the minute. */
export const toMinute = (date: Date) => new Date(Math.floor(date.getTime() / 60_000) * 60_000).toISOString();
const now = () => toMinute(new Date());

const texts = (pieces: TextRequest[]): SandboxText[] =>
  pieces.map((piece) => text(piece.text?.content ?? "", piece.annotations, piece.text?.link?.url ?? null));

const isTooLong = (pieces: TextRequest[]) => pieces.some((piece) => (piece.text?.content?.length ?? 0) > MAX_PIECE);

interface Property {
  id: string;
  type: string;
  [type: string]: unknown;
}
/** A value under the name of its type. */
interface Values {
  title?: TextRequest[];
  rich_text?: TextRequest[];
  status?: { name: string };
  select?: { name: string };
  multi_select?: { name: string }[];
  people?: { id: string }[];
  date?: { start: string };
  relation?: { id: string }[];
  checkbox?: boolean;
}

interface Option {
  id: string;
  name: string;
  color: string;
}

const optionsOf = (property: Property) => (property[property.type] as { options?: Option[] }).options ?? [];

const shown = (option: Option | undefined) => option && { id: option.id, name: option.name, color: option.color };

/** An option that does not exist is made, except for a status. */
const newOption = (name: string, index: number): Option => ({ id: uuid(90_000 + index), name, color: "default" });

/** The value of a property as it is sent back, or what is wrong with it. */
function valueFor(property: Property, values: Values): unknown {
  const { type } = property;
  const option = (name: string) => optionsOf(property).find((known) => known.name === name);
  switch (type) {
    case "title":
    case "rich_text":
      return isTooLong(values[type]!)
        ? { problem: `${type}[0].text.content.length should be ≤ \`${MAX_PIECE}\`` }
        : texts(values[type]!);
    case "status": {
      const { name } = values.status!;
      return shown(option(name)) ?? { problem: `Status option "${name}" does not exist".` };
    }
    case "select":
      return shown(option(values.select!.name) ?? newOption(values.select!.name, 0));
    case "multi_select":
      return values.multi_select!.map(({ name }, index) => shown(option(name) ?? newOption(name, index + 1)));
    case "people":
      return values.people!.map(({ id }) => people.find((person) => person.id === id) ?? { object: "user", id });
    case "date":
      return { start: values.date!.start, end: null, time_zone: null };
    default:
      return values[type as "relation" | "checkbox"];
  }
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === "object" && value !== null && "problem" in value;

function change(page: SandboxPage, source: SandboxSource, properties: Record<string, Values>): SandboxPage | Problem {
  const changed = { ...page.properties };
  for (const [name, values] of Object.entries(properties)) {
    const property = (source.properties as Record<string, Property>)[name];
    if (!property) return { problem: `${name} is not a property that exists.` };
    if (!(property.type in values)) return { problem: `${name} is expected to be ${property.type}.` };
    const value = valueFor(property, values);
    if (isProblem(value)) return value;
    changed[name] = { id: property.id, type: property.type, [property.type]: value };
  }
  page.properties = changed;
  page.last_edited_time = now();
  return page;
}

export const updatePage = (page: SandboxPage, properties: Record<string, Values>, { sources }: State) =>
  change(page, sources.find(({ id }) => id === page.parent.data_source_id)!, properties);

/** What is not given is empty, and a status has its first option. */
function emptyValue(property: Property): unknown {
  switch (property.type) {
    case "title":
    case "rich_text":
    case "multi_select":
    case "people":
    case "relation":
      return [];
    case "status":
      return shown(optionsOf(property)[0]);
    default:
      return property.type === "checkbox" ? false : null;
  }
}

export function createPage(
  source: SandboxSource,
  properties: Record<string, Values>,
  state: State,
): SandboxPage | Problem {
  const id = uuid(400_000 + countWritten(state));
  const [made] = state.pages as [SandboxPage];
  const page: SandboxPage = {
    ...made,
    id,
    parent: { ...made.parent, data_source_id: source.id, database_id: source.parent.database_id },
    url: `https://www.notion.so/Page-${id.replaceAll("-", "")}`,
    in_trash: false,
    created_time: now(),
    properties: Object.fromEntries(
      Object.entries(source.properties as Record<string, Property>).map(([name, property]) => [
        name,
        { id: property.id, type: property.type, [property.type]: emptyValue(property) },
      ]),
    ),
  };
  const written = change(page, source, properties);
  if (!isProblem(written)) state.pages.push(written);
  return written;
}

export function createComment(page: SandboxPage, pieces: TextRequest[], state: State): Comment | Problem {
  if (isTooLong(pieces)) return { problem: `body.rich_text[0].text.content.length should be ≤ \`${MAX_PIECE}\`` };
  const written = countWritten(state);
  const comment: Comment = {
    object: "comment",
    id: uuid(200_000 + written),
    parent: { type: "page_id", page_id: page.id },
    discussion_id: uuid(300_000 + written),
    created_time: now(),
    last_edited_time: now(),
    created_by: { object: "user", id: BOT },
    rich_text: texts(pieces),
    display_name: { type: "integration", resolved_name: "Plugboard" },
  };
  state.comments.set(page.id, [...(state.comments.get(page.id) ?? []), comment]);
  return comment;
}
