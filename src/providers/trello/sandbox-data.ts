// Shapes as the real API sends them: https://developer.atlassian.com/cloud/trello/guides/rest-api/object-definitions/
import { awkwardTexts, hour, seeded, times } from "../../provider-kit/sandbox-data.ts";

type Random = ReturnType<typeof seeded>;

/** An id starts with the time of creation in seconds. */
const makeId = (random: Random, createdAt: Date) =>
  Math.floor(createdAt.getTime() / 1000)
    .toString(16)
    .padStart(8, "0") + random.hex(16);

/** The first board has the long list, one is empty, one is closed. */
const BOARDS = [
  { name: "Launch", closed: false, cards: 283 },
  { name: "Empty", closed: false, cards: 0 },
  { name: "日本語ボード", closed: false, cards: 19 },
  { name: "Last year", closed: true, cards: 8 },
];
const LISTS = ["To Do", "In Prüfung", "完了", "Archived list"];

function board(index: number, random: Random) {
  const id = makeId(random, hour(index));
  const shortLink = random.hex(8);
  const lists = LISTS.map((name, position) => ({
    id: makeId(random, hour(index)),
    name,
    closed: position === LISTS.length - 1,
    color: null,
    idBoard: id,
    pos: (position + 1) * 65_536,
    subscribed: false,
    softLimit: null,
    type: null,
  }));
  const { name, closed } = BOARDS[index]!;
  return {
    id,
    name,
    desc: "",
    descData: null,
    closed,
    idOrganization: "5f0000000000000000000001",
    pinned: false,
    starred: index === 0,
    shortLink,
    shortUrl: `https://trello.com/b/${shortLink}`,
    url: `https://trello.com/b/${shortLink}/board`,
    dateLastActivity: hour(900).toISOString(),
    lists,
  };
}
export type SandboxBoard = ReturnType<typeof board>;

function card(index: number, { id: idBoard, lists }: SandboxBoard, random: Random) {
  // Several are created in the same second, as when a board is copied.
  const id = makeId(random, hour(Math.floor(index / 3)));
  const shortLink = random.hex(8);
  const idMember = random.pick(["5f0000000000000000000101", "5f0000000000000000000102"]);
  const due = index % 6 === 0 ? hour(index + 700).toISOString() : null;
  return {
    id,
    badges: { attachments: 0, comments: index % 5, description: index % 4 !== 2, due, dueComplete: false, votes: 0 },
    checkItemStates: [],
    closed: index % 7 === 4,
    cover: { idAttachment: null, color: null, size: "normal", brightness: "dark" },
    dateLastActivity: index % 29 === 28 ? null : hour(index + 300).toISOString(),
    desc: index % 4 === 2 ? "" : `**Card** ${index + 1}\n\n${awkwardTexts[index % awkwardTexts.length]}`,
    descData: { emoji: {} },
    due,
    dueComplete: false,
    dueReminder: null,
    email: null,
    idAttachmentCover: null,
    idBoard,
    idChecklists: [],
    idLabels: [],
    idList: lists[index % lists.length]!.id,
    idMembers: index % 3 === 0 ? [] : [idMember],
    idMembersVoted: [],
    idShort: index + 1,
    isTemplate: false,
    labels: index % 8 === 0 ? [{ id: makeId(random, hour(1)), idBoard, name: "grün", color: "green" }] : [],
    manualCoverAttachment: false,
    name: index % 12 === 7 ? awkwardTexts[random.int(awkwardTexts.length)]! : `Card ${index + 1}`,
    // Cards are moved around: their position says nothing about their age.
    pos: random.int(1_000_000),
    shortLink,
    shortUrl: `https://trello.com/c/${shortLink}`,
    start: null,
    subscribed: false,
    url: `https://trello.com/c/${shortLink}/${index + 1}-card`,
  };
}
export type SandboxCard = ReturnType<typeof card>;

export function makeState() {
  const random = seeded(3);
  const boards = BOARDS.map((_, index) => board(index, random));
  let index = 0;
  const cards = boards.flatMap((owner, boardIndex) =>
    times(BOARDS[boardIndex]!.cards, () => card(index++, owner, random)),
  );
  return { boards, cards };
}
export type State = ReturnType<typeof makeState>;

export const me = {
  id: "5f0000000000000000000101",
  username: "sandbox",
  fullName: "Sandbox",
  initials: "S",
  email: "sandbox@example.com",
  avatarUrl: null,
  confirmed: true,
  memberType: "normal",
  url: "https://trello.com/u/sandbox",
};
