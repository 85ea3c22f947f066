import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { seeded } from "../../../emulator-kit/data.ts";
import { countWritten, isReply, reply } from "../../../emulator-kit/emulator.ts";
import { card, MEMBERS, makeId, type SandboxBoard, type SandboxCard, type State } from "./data.ts";
import { cardRoute } from "./replies.ts";

const [ME] = MEMBERS as [(typeof MEMBERS)[number]];
const ids = (text: string): string[] => text.split(",").filter(Boolean);

/** The fields that a write sets, or why it is refused. */
function changes({ body }: EmulatedRequest, board: SandboxBoard): Partial<SandboxCard> | EmulatedReply {
  const { name, desc, due, idList, idMembers, idLabels, closed } = body ?? {};
  if (idList !== undefined && !board.lists.some(({ id }) => id === idList))
    return reply(400, "invalid value for idList");
  const members = ids(idMembers ?? "");
  if (members.some((member) => !MEMBERS.some(({ id }) => id === member)))
    return reply(400, "invalid value for idMembers");
  const wanted = ids(idLabels ?? "");
  const labels = board.labels.filter(({ id }) => wanted.includes(id));
  if (labels.length < wanted.length) return reply(400, "invalid value for idLabels");
  if (due !== undefined && Number.isNaN(Date.parse(due))) return reply(400, "invalid date");
  return {
    ...(name !== undefined && { name }),
    ...(desc !== undefined && { desc }),
    ...(due !== undefined && { due }),
    ...(idList !== undefined && { idList }),
    ...(idMembers !== undefined && { idMembers: members }),
    ...(idLabels !== undefined && { labels }),
    ...(closed !== undefined && { closed: closed === "true" || closed === true }),
    dateLastActivity: new Date().toISOString(),
  };
}

export function createCard(request: EmulatedRequest, state: State): EmulatedReply {
  const { idList } = request.body ?? {};
  const board = state.boards.find(({ lists }) => lists.some(({ id }) => id === idList));
  if (!board) return reply(400, "invalid value for idList");
  const changed = changes(request, board);
  if (isReply(changed)) return changed;
  // Different for each card, so that their ids are.
  const count = 1_000 + countWritten(state);
  const random = seeded(1_000 + count);
  const due = changed.due ?? null;
  const created: SandboxCard = {
    ...card(count, board, random),
    id: makeId(random, new Date()),
    badges: { attachments: 0, comments: 0, description: Boolean(changed.desc), due, dueComplete: false, votes: 0 },
    closed: false,
    name: "",
    desc: "",
    due,
    dueComplete: false,
    idMembers: [],
    labels: [],
    ...changed,
  };
  state.cards.push(created);
  state.actions.set(created.id, []);
  return reply(200, created);
}

export const updateCard = cardRoute((found, request, { boards }) => {
  const { idBoard = found.idBoard } = request.body ?? {};
  const board = boards.find(({ id }) => id === idBoard);
  if (!board) return reply(400, "invalid value for idBoard");
  const changed = changes(request, board);
  if (isReply(changed)) return changed;
  // A card that is moved to another board goes to its first list.
  const moved = idBoard === found.idBoard ? {} : { idBoard, idList: board.lists[0]!.id };
  return reply(200, Object.assign(found, moved, changed));
});

export const createComment = cardRoute((found, { body }, state) => {
  if (typeof body?.text !== "string" || body.text === "") return reply(400, "invalid value for text");
  const all = state.actions.get(found.id)!;
  const now = new Date();
  const created = {
    // Later ones of the same second have greater ids.
    id: makeId(seeded(1), now).slice(0, 8) + String(countWritten(state)).padStart(16, "0"),
    idMemberCreator: ME.id,
    type: "commentCard",
    date: now.toISOString(),
    data: {
      card: { id: found.id, name: found.name, idShort: found.idShort, shortLink: found.shortLink },
      text: body.text as string,
    },
    memberCreator: ME,
  };
  all.unshift(created);
  return reply(200, created);
});
