import {
  countWritten,
  type EmulatedReply,
  type EmulatedRequest,
  refuse,
  reply,
  seeded,
  sentFields,
} from "../../../emulator-kit/index.ts";
import { action, card, idAt, ME, MEMBERS, makeId, type SandboxBoard, type SandboxCard, type State } from "./data.ts";

export const invalid = (name: string) => reply(400, `invalid value for ${name}`);

const ids = (text = ""): string[] => text.split(",").filter(Boolean);

function writtenFields({ body }: EmulatedRequest, board: SandboxBoard): Partial<SandboxCard> {
  const { due, idList, idMembers, idLabels, closed } = body ?? {};
  const members = ids(idMembers);
  const labels = board.labels.filter(({ id }) => ids(idLabels).includes(id));
  if (idList !== undefined && !board.lists.some(({ id }) => id === idList)) refuse(invalid("idList"));
  if (members.some((member) => !MEMBERS.some(({ id }) => id === member))) refuse(invalid("idMembers"));
  if (labels.length < ids(idLabels).length) refuse(invalid("idLabels"));
  if (due !== undefined && Number.isNaN(Date.parse(due))) refuse(invalid("due"));
  return {
    ...sentFields(body, ["name", "desc", "due", "idList"]),
    ...(idMembers !== undefined && { idMembers: members }),
    ...(idLabels !== undefined && { labels }),
    ...(closed !== undefined && { closed: String(closed) === "true" }),
    dateLastActivity: new Date().toISOString(),
  };
}

export function newCard(request: EmulatedRequest, state: State): SandboxCard {
  const board = state.boards.find(({ lists }) => lists.some(({ id }) => id === request.body?.idList));
  if (!board) return refuse(invalid("idList"));
  const written = writtenFields(request, board);
  // Different for each card, so that their ids are.
  const count = 1_000 + countWritten(state);
  const random = seeded(1_000 + count);
  const made = card(count, board, random);
  const id = makeId(random, new Date());
  state.actions.set(id, []);
  const empty = {
    closed: false,
    name: "",
    desc: "",
    due: null,
    dueComplete: false,
    idMembers: [],
    labels: [],
    customFieldItems: [],
  };
  return { ...made, id, ...empty, ...written };
}

export function changedCard(found: SandboxCard, request: EmulatedRequest, { boards }: State): Partial<SandboxCard> {
  const { idBoard = found.idBoard } = request.body ?? {};
  const board = boards.find(({ id }) => id === idBoard) ?? refuse(invalid("idBoard"));
  // A card that is moved to another board goes to its first list.
  const moved = idBoard === found.idBoard ? {} : { idBoard, idList: board.lists[0]!.id };
  return { ...moved, ...writtenFields(request, board) };
}

export function addComment({ id }: SandboxCard, { body }: EmulatedRequest, state: State): EmulatedReply {
  if (typeof body?.text !== "string" || body.text === "") refuse(invalid("text"));
  const now = new Date();
  // Later ones of the same second have greater ids.
  const added = action(idAt(now, String(countWritten(state))), "commentCard", now, ME, { text: body.text });
  state.actions.get(id)!.unshift(added);
  return reply(200, added);
}
