import { graphGuid, graphUser, hour, seeded, times } from "../../../emulator-kit/index.ts";
import { message } from "./messages.ts";

const USERS = 270;
/** Channels per team. There are few teams, so that a page of a hundred channels needs few calls. */
const CHANNELS_PER_TEAM = [130, 1, 90, 45, 25];
/** Messages in the first channel. */
const MESSAGES = 330;

const team = (index: number) => ({
  id: graphGuid(10 + index),
  displayName: index === 0 ? "Plugboard Sandbox" : `Team ${index} – Grüße`,
  description: index % 2 === 0 ? null : `What team ${index} does`,
});
export type Team = ReturnType<typeof team>;
export const FIRST_TEAM = team(0).id;

const NAMES = ["General", "Grüße aus Köln", "日本語のチャネル", "مرحبا", "👩‍👩‍👧 family"];
const MEMBERSHIP: Record<number, "private" | "shared"> = { 9: "private", 4: "shared" };

const channel = (index: number) => ({
  id: `19:${seeded(3000 + index).hex(32)}@thread.tacv2`,
  createdDateTime: hour(index).toISOString(),
  displayName: NAMES[index] ?? `Channel ${index}`,
  description: index % 3 === 0 ? null : `About ${index}`,
  membershipType: MEMBERSHIP[index % 10] ?? ("standard" as const),
});
export type Channel = ReturnType<typeof channel>;

export function makeState() {
  const users = times(USERS, graphUser);
  const teams = times(CHANNELS_PER_TEAM.length, team);
  let channelIndex = 0;
  const channels = new Map(
    teams.map(({ id }, index) => [id, times(CHANNELS_PER_TEAM[index]!, () => channel(channelIndex++))]),
  );
  const first = { team: FIRST_TEAM, channel: channels.get(FIRST_TEAM)![0]!.id };
  const messages = new Map([[first.channel, times(MESSAGES, (index) => message(index, first, users))]]);
  /** Channels by team, and messages by channel. */
  return { users, teams, channels, messages };
}
export type State = ReturnType<typeof makeState>;
