// Shapes as the real API sends them: https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/
import { awkwardTexts, hour, seeded, times } from "../../provider-kit/sandbox-data.ts";

export const SUBDOMAIN = "sandbox";
const HOST = `https://${SUBDOMAIN}.zendesk.com`;
const COUNT = 296;

const STATUSES = ["new", "open", "pending", "hold", "solved", "closed"] as const;

export const me = {
  id: 35_436,
  url: `${HOST}/api/v2/users/35436.json`,
  name: "Sandbox",
  email: "sandbox@example.com",
  role: "admin",
  active: true,
  verified: true,
  locale: "en-GB",
  time_zone: "Berlin",
  created_at: hour(0).toISOString().replace(".000Z", "Z"),
  updated_at: hour(1).toISOString().replace(".000Z", "Z"),
};

const time = (hours: number) => hour(hours).toISOString().replace(".000Z", "Z");

function ticket(index: number, random: ReturnType<typeof seeded>) {
  // Ids have gaps where tickets were deleted, and two to four digits, so that sorting them as text would be wrong.
  const id = 35 + index * 4;
  const subject = index % 10 === 6 ? awkwardTexts[index % awkwardTexts.length]! : `Ticket ${index + 1}`;
  // A ticket from a call or a chat may have no subject.
  const hasNoSubject = index % 23 === 22;
  return {
    url: `${HOST}/api/v2/tickets/${id}.json`,
    id,
    external_id: null,
    via: { channel: hasNoSubject ? "voice" : "web", source: { from: {}, to: {}, rel: null } },
    created_at: time(index),
    updated_at: time(index + 250),
    generated_timestamp: hour(index + 250).getTime() / 1000,
    type: index % 4 === 0 ? null : "incident",
    subject: hasNoSubject ? null : subject,
    raw_subject: hasNoSubject ? null : subject,
    description: index % 31 === 30 ? "" : `My printer is on fire.\n\n${random.pick(awkwardTexts)}`,
    priority: index % 3 === 0 ? null : "normal",
    status: STATUSES[index % STATUSES.length]!,
    recipient: null,
    requester_id: 20_978_392 + (index % 5),
    submitter_id: 76_872,
    // A deleted agent is no longer assigned.
    assignee_id: index % 6 === 0 ? null : me.id,
    organization_id: null,
    group_id: 98_738,
    collaborator_ids: [],
    follower_ids: [],
    email_cc_ids: [],
    forum_topic_id: null,
    problem_id: null,
    has_incidents: false,
    is_public: true,
    due_at: null,
    tags: index % 5 === 0 ? ["grün", "other_tag"] : [],
    custom_fields: [],
    satisfaction_rating: null,
    sharing_agreement_ids: [],
    custom_status_id: 1_234_567 + (index % STATUSES.length),
    fields: [],
    followup_ids: [],
    ticket_form_id: 47,
    brand_id: 360,
    allow_channelback: false,
    allow_attachments: true,
    from_messaging_channel: false,
  };
}

/** Tickets in the order of their ids. */
export function makeState() {
  const random = seeded(13);
  return { tickets: times(COUNT, (index) => ticket(index, random)) };
}
export type State = ReturnType<typeof makeState>;
