// Shapes as the real API sends them: https://developer.atlassian.com/cloud/trello/guides/rest-api/object-definitions/
import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/data.ts";

type Random = ReturnType<typeof seeded>;

/** An id starts with the time of creation in seconds. */
export const makeId = (random: Random, createdAt: Date) =>
  Math.floor(createdAt.getTime() / 1000)
    .toString(16)
    .padStart(8, "0") + random.hex(16);

export const MEMBERS = [
  { id: "5f0000000000000000000101", fullName: "Sandbox", username: "sandbox", initials: "S", avatarHash: null },
  { id: "5f0000000000000000000102", fullName: "Zoë Müller", username: "zoe", initials: "ZM", avatarHash: null },
  { id: "5f0000000000000000000103", fullName: "", username: "nobody", initials: "N", avatarHash: null },
];

/** The first board has the long list, one is empty, one is closed. */
const BOARDS = [
  { name: "Launch", closed: false, cards: 283 },
  { name: "Empty", closed: false, cards: 0 },
  { name: "日本語ボード", closed: false, cards: 19 },
  { name: "Last year", closed: true, cards: 8 },
];
const LISTS = ["To Do", "Doing", "In Prüfung", "完了", "Archived list"];
/** Every two cards of a board share a list, so that each list has cards of each kind. */
const listOf = (lists: SandboxBoard["lists"], index: number) => lists[Math.floor(index / 2) % lists.length]!;

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
    desc: index === 0 ? "The **launch**:\r\n\r\n- plan\r\n- do\r\n" : "",
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
    labels: ["grün", ""].map((name) => ({ id: makeId(random, hour(1)), idBoard: id, name, color: "green" })),
  };
}
export type SandboxBoard = ReturnType<typeof board>;

export function card(index: number, { id: idBoard, lists, labels }: SandboxBoard, random: Random) {
  // Several are created in the same second, as when a board is copied.
  const id = makeId(random, hour(Math.floor(index / 3)));
  const shortLink = random.hex(8);
  const member = random.pick(MEMBERS);
  const due: string | null = index % 6 === 0 ? hour(index + 700).toISOString() : null;
  return {
    id,
    badges: {
      attachments: 0,
      comments: index % 5,
      description: index % 4 !== 3,
      due,
      dueComplete: index % 9 === 5,
      votes: 0,
    },
    checkItemStates: [],
    closed: index % 7 === 4,
    cover: { idAttachment: null, color: null, size: "normal", brightness: "dark" },
    dateLastActivity: index % 29 === 28 ? null : hour(index + 300).toISOString(),
    desc: index % 4 === 3 ? "" : `**Card** ${index + 1}\r\n\r\n${awkwardTexts[index % awkwardTexts.length]}\n`,
    descData: { emoji: {} },
    due: due as string | null,
    dueComplete: index % 9 === 5,
    dueReminder: null,
    email: null,
    idAttachmentCover: null,
    idBoard,
    idChecklists: [],
    idLabels: [],
    idList: listOf(lists, index).id,
    idMembers: index % 3 === 1 ? [] : [member.id],
    idMembersVoted: [],
    idShort: index + 1,
    isTemplate: false,
    // A label may have a color only.
    labels: (index % 4 === 2 ? [labels[index % 8 === 2 ? 0 : 1]!] : []) as typeof labels,
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

/** What happened to a card, newest first. Only some of it is a comment. */
function actionsOf(card: SandboxCard, count: number, random: Random) {
  return times(count, (nth) => {
    const date = hour(2000 - nth);
    const type = nth % 3 === 2 ? "updateCard" : nth % 7 === 0 ? "copyCommentCard" : "commentCard";
    const member = nth % 13 === 12 ? null : MEMBERS[nth % MEMBERS.length]!;
    const text = nth % 10 === 3 ? " \n" : `@zoe **look**\r\n${awkwardTexts[nth % awkwardTexts.length]}`;
    return {
      id: makeId(random, date),
      idMemberCreator: member?.id ?? "5f0000000000000000000199",
      type,
      date: date.toISOString(),
      data: {
        card: { id: card.id, name: card.name, idShort: card.idShort, shortLink: card.shortLink },
        ...(type === "updateCard" ? { old: { pos: 1 } } : { text }),
      },
      memberCreator: member,
    };
  });
}

export function makeState() {
  const random = seeded(3);
  const boards = BOARDS.map((_, index) => board(index, random));
  let index = 0;
  const cards = boards.flatMap((owner, boardIndex) =>
    times(BOARDS[boardIndex]!.cards, () => card(index++, owner, random)),
  );
  const newest = cards.filter(({ idBoard }) => idBoard === boards[0]!.id).toSorted((a, b) => (a.id < b.id ? 1 : -1))[0];
  const actions = new Map(cards.map((card, nth) => [card.id, actionsOf(card, card === newest ? 70 : nth % 4, random)]));
  return { boards, cards, actions };
}
export type State = ReturnType<typeof makeState>;

export const me = {
  id: "5f0000000000000000000101",
  username: "sandbox",
  fullName: "Sandbox",
  initials: "S",
  email: "sandbox@example.com",
  avatarUrl: "https://trello-members.s3.amazonaws.com/5f0000000000000000000101/0123456789abcdef",
  confirmed: true,
  memberType: "normal",
  url: "https://trello.com/u/sandbox",
};
