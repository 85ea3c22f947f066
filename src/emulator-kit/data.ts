/** Text that breaks careless code: other scripts, right-to-left, combining marks, emoji, markup, quotes. */
export const awkwardTexts = [
  "Grüße aus Köln",
  "日本語のタイトル",
  "مرحبا بالعالم",
  "e\u0301 combining and \u200b zero width",
  "👩‍👩‍👧 family & 🏳️‍🌈 flag",
  '<script>alert("x")</script> & "quotes"',
  "tabs\tand\nnew lines",
  "'; DROP TABLE users; --",
] as const;

/** Text in HTML, with the entities that some editors write. */
export const inHtml = (text: string): string => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A name of something in the sandbox: awkward, and different for each index. */
export const awkwardName = (index: number): string => `${awkwardTexts[index % awkwardTexts.length]} ${index}`;

const GIVEN = ["Ada", "Zoë", "陽菜", "José", "Émilie", "محمد", "Ștefan", "Chloe\u0308"];
const FAMILY = ["Lovelace", "Müller-Lüdenscheidt", "O'Brien", "山田", "Nuñez", "Þórsdóttir", "d’Arc", "Øster"];

export interface Person {
  given: string | null;
  family: string | null;
  email: string | null;
}

/** A person in the sandbox, the same for each index: some have no name, no email address or neither. */
export function person(index: number): Person {
  const given = GIVEN[index % GIVEN.length]!;
  const family = FAMILY[(index * 3) % FAMILY.length]!;
  const email = `contact-${index}@example.com`;
  switch (index % 13) {
    case 1:
      return { given, family: null, email };
    case 2:
      return { given: null, family, email };
    case 3:
      return { given: null, family: null, email };
    case 4:
      return { given: null, family: null, email: null };
    case 5:
      return { given, family, email: null };
    case 6:
      return { given: awkwardTexts[index % awkwardTexts.length]!, family, email: `grüße+${index}@exämple.com` };
    case 7:
      return { given: "  ", family: "", email: index % 2 ? "" : email };
    default:
      return { given, family, email };
  }
}

/** A seeded random number generator: the same data at every start, on every machine. */
export function seeded(seed: number): {
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  /** Text of these characters. */
  text(length: number, characters: string): string;
  hex(length: number): string;
} {
  let state = seed >>> 0 || 1;
  const int = (below: number) => {
    // xorshift32: small, fast and the same everywhere
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
  const text = (length: number, characters: string) => {
    let made = "";
    while (made.length < length) made += characters[int(characters.length)];
    return made;
  };
  return { int, pick: (from) => from[int(from.length)]!, text, hex: (length) => text(length, "0123456789abcdef") };
}

/** Values that are made when they are first needed, such as comments of records that are rarely opened. */
export function remembered<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key)!;
  };
}

/** A UUID in the sandbox, the same for each number. */
export const uuid = remembered((number: number): string =>
  seeded(number * 7919 + 1)
    .hex(32)
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-a$4-$5"),
);

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Fields that have the same value, their names separated by spaces: what nothing depends on, but real records have. */
export const alike = (names: string, value: unknown): object =>
  Object.fromEntries(names.split(" ").map((name) => [name, value]));

/** A time as many providers send it: without a fraction of a second. */
export const toSecond = (date: Date): string => `${date.toISOString().slice(0, -5)}Z`;

/** A day without a time: `2024-01-31`. */
export const toDay = (date: Date): string => date.toISOString().slice(0, 10);

/** A date in the sandbox: `index` hours after the start of 2024. */
export const hour = (index: number): Date => new Date(Date.UTC(2024, 0, 1) + index * 3_600_000);
