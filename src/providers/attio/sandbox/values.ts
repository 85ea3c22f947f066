import { hour, remembered, seeded } from "../../../emulator-kit/index.ts";

/** A version 4 UUID, the same for the same number. */
export const uuid = remembered((number: number): string => {
  const random = seeded(number * 2_654_435_761);
  return [random.hex(8), random.hex(4), `4${random.hex(3)}`, `a${random.hex(3)}`, random.hex(12)].join("-");
});

export const WORKSPACE = uuid(10_001);
export const MEMBER = uuid(10_003);
/** The ID of each object, the number from which the IDs of its records are made, and its name in addresses. */
export const OBJECTS = {
  people: { id: uuid(10_002), first: 1, page: "person" },
  companies: { id: uuid(10_004), first: 20_000, page: "company" },
  deals: { id: uuid(10_005), first: 30_000, page: "deals" },
};
export type ObjectName = keyof typeof OBJECTS;

/** The number of a made-up record or value, or the moment at which a client writes one. */
export type Moment = number | "now";

/** Attio's times have nanoseconds. */
const withNanoseconds = (date: Date) => date.toISOString().replace("Z", "000000Z");
const timeOf = remembered((index: number) => withNanoseconds(hour(index)));
export const time = (moment: Moment) => (moment === "now" ? withNanoseconds(new Date()) : timeOf(moment));

/** A value of an attribute. */
export const value = <Fields extends object>(attribute_type: string, moment: Moment, fields: Fields) => ({
  active_from: time(moment),
  active_until: null,
  created_by_actor:
    moment !== "now" && moment % 7 === 0 ? { type: "system", id: null } : { type: "workspace-member", id: MEMBER },
  ...fields,
  attribute_type,
});

export const textValue = (moment: Moment, text: string) => value("text", moment, { value: text });
