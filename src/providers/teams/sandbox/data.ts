import { seeded, times } from "../../../emulator-kit/data.ts";
import { guid, type User, user } from "../../../emulator-kit/microsoft-graph.ts";
import { graphTime, type Message, message } from "./messages.ts";

const USERS = 270;
/** Channels per team. There are few teams, so that a page of a hundred channels needs few calls. */
const CHANNELS_PER_TEAM = [130, 1, 90, 45, 25];
/** Messages in the first channel. */
const MESSAGES = 330;

const TENANT = guid(1);
const team = (index: number) => ({
  id: guid(10 + index),
  createdDateTime: null,
  displayName: index === 0 ? "Plugboard Sandbox" : `Team ${index} – Grüße`,
  description: index % 2 === 0 ? null : `What team ${index} does`,
  internalId: null,
  classification: null,
  specialization: null,
  visibility: "private" as const,
  webUrl: null,
  isArchived: false,
  memberSettings: null,
  guestSettings: null,
  messagingSettings: null,
  funSettings: null,
  summary: null,
});

export type Team = ReturnType<typeof team>;
export const FIRST_TEAM = team(0).id;

function channel(index: number) {
  const names = ["General", "Grüße aus Köln", "日本語のチャネル", "مرحبا", "👩‍👩‍👧 family"];
  const id = `19:${seeded(3000 + index).hex(32)}@thread.tacv2`;
  return {
    id,
    createdDateTime: graphTime(index),
    displayName: names[index] ?? `Channel ${index}`,
    description: index % 3 === 0 ? null : `About ${index}`,
    isFavoriteByDefault: null,
    email: index % 5 === 0 ? "" : `channel${index}@example.com`,
    tenantId: TENANT,
    webUrl: `https://teams.microsoft.com/l/channel/${encodeURIComponent(id)}/${index}`,
    membershipType:
      index % 10 === 9 ? ("private" as const) : index % 10 === 4 ? ("shared" as const) : ("standard" as const),
    isArchived: false,
  };
}

export type Channel = ReturnType<typeof channel>;

export interface State {
  users: User[];
  teams: Team[];
  /** By team. */
  channels: Map<string, Channel[]>;
  /** By channel. */
  messages: Map<string, Message[]>;
}

export function makeState(): State {
  const users = times(USERS, user);
  const teams = times(CHANNELS_PER_TEAM.length, team);
  let channelIndex = 0;
  const channels = new Map(
    teams.map(({ id }, index) => [id, times(CHANNELS_PER_TEAM[index]!, () => channel(channelIndex++))]),
  );
  const first = { team: teams[0]!.id, channel: channels.get(teams[0]!.id)![0]!.id };
  const messages = new Map([[first.channel, times(MESSAGES, (index) => message(index, first, users))]]);
  return { users, teams, channels, messages };
}
