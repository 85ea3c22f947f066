// Objects as in the real API, without optional fields that nothing reads: https://developer.atlassian.com/cloud/trello/guides/rest-api/object-definitions/
import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/index.ts";
import { ownItems } from "./custom-fields.ts";

type Random = ReturnType<typeof seeded>;

/** An id starts with the time of creation in seconds. */
export const idAt = (createdAt: Date, rest: string) =>
  Math.floor(createdAt.getTime() / 1000).toString(16) + rest.padStart(16, "0");
export const makeId = (random: Random, createdAt: Date) => idAt(createdAt, random.hex(16));

export const MEMBERS = [
  { id: "5f0000000000000000000101", fullName: "Sandbox", username: "sandbox" },
  { id: "5f0000000000000000000102", fullName: "Zoë Müller", username: "zoe" },
  { id: "5f0000000000000000000103", fullName: "", username: "nobody" },
];
type Member = (typeof MEMBERS)[number];
export const [ME] = MEMBERS as [Member];

/** The first board has the long list, one is empty, one is closed. */
const BOARDS = [
  { name: "Launch", closed: false, cards: 283 },
  { name: "Empty", closed: false, cards: 0 },
  { name: "日本語ボード", closed: false, cards: 19 },
  { name: "Last year", closed: true, cards: 8 },
];
const LISTS = ["To Do", "Doing", "In Prüfung", "完了", "Archived list"];

function board(index: number, random: Random) {
  const id = makeId(random, hour(index));
  const shortLink = random.hex(8);
  const { name, closed } = BOARDS[index]!;
  return {
    id,
    name,
    desc: index === 0 ? "The **launch**:\r\n\r\n- plan\r\n- do\r\n" : "",
    closed,
    url: `https://trello.com/b/${shortLink}/board`,
    lists: LISTS.map((list) => ({
      id: makeId(random, hour(index)),
      name: list,
      closed: list === LISTS.at(-1),
      idBoard: id,
    })),
    labels: ["grün", ""].map((label) => ({
      id: makeId(random, hour(1)),
      idBoard: id,
      name: label,
      color: "green",
    })),
  };
}
export type SandboxBoard = ReturnType<typeof board>;

export function card(index: number, { id: idBoard, lists, labels }: SandboxBoard, random: Random) {
  // Several are created in the same second, as when a board is copied.
  const id = makeId(random, hour(Math.floor(index / 3)));
  const shortLink = random.hex(8);
  const member = random.pick(MEMBERS);
  return {
    id,
    closed: index % 7 === 4,
    customFieldItems: ownItems(index, id),
    dateLastActivity: index % 29 === 28 ? null : hour(index + 300).toISOString(),
    desc: index % 4 === 3 ? "" : `**Card** ${index + 1}\r\n\r\n${awkwardTexts[index % awkwardTexts.length]}\n`,
    due: index % 6 === 0 ? hour(index + 700).toISOString() : null,
    dueComplete: index % 9 === 5,
    idBoard,
    // Every two cards of a board share a list, so that each list has cards of each kind.
    idList: lists[Math.floor(index / 2) % lists.length]!.id,
    idMembers: index % 3 === 1 ? [] : [member.id],
    idShort: index + 1,
    // A label may have a color only.
    labels: index % 4 === 2 ? [labels[index % 8 === 2 ? 0 : 1]!] : [],
    name: index % 12 === 7 ? awkwardTexts[random.int(awkwardTexts.length)]! : `Card ${index + 1}`,
    // Cards are moved around: their position says nothing about their age.
    pos: random.int(1_000_000),
    shortLink,
    url: `https://trello.com/c/${shortLink}/${index + 1}-card`,
  };
}
export type SandboxCard = ReturnType<typeof card>;

export const action = (id: string, type: string, date: Date, member: Member | null, data: { text?: string }) => ({
  id,
  idMemberCreator: member?.id ?? "5f0000000000000000000199",
  type,
  date: date.toISOString(),
  data,
  memberCreator: member,
});

/** What happened to a card, newest first. Only some of it is a comment. */
const actions = (count: number, random: Random) =>
  times(count, (nth) => {
    const date = hour(2000 - nth);
    const type = nth % 3 === 2 ? "updateCard" : nth % 7 === 0 ? "copyCommentCard" : "commentCard";
    const member = nth % 13 === 12 ? null : MEMBERS[nth % MEMBERS.length]!;
    const text = nth % 10 === 3 ? " \n" : `@zoe **look**\r\n${awkwardTexts[nth % awkwardTexts.length]}`;
    return action(makeId(random, date), type, date, member, type === "updateCard" ? {} : { text });
  });

export function makeState() {
  const random = seeded(3);
  const boards = BOARDS.map((_, index) => board(index, random));
  let index = 0;
  const cards = boards.flatMap((owner, boardIndex) =>
    times(BOARDS[boardIndex]!.cards, () => card(index++, owner, random)),
  );
  const newest = cards.filter(({ idBoard }) => idBoard === boards[0]!.id).toSorted((a, b) => (a.id < b.id ? 1 : -1))[0];
  return {
    boards,
    cards,
    /** By the id of their card. */
    actions: new Map(cards.map((card, nth) => [card.id, actions(card === newest ? 70 : nth % 4, random)])),
  };
}
export type State = ReturnType<typeof makeState>;
