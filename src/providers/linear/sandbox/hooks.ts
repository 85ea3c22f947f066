import { randomUUID } from "node:crypto";
import { type EmulatedHooks, hookRegistry, taskRecords } from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";
import { invalidInput, notFound } from "./errors.ts";

const registry = hookRegistry();

const TYPES = { task: "Issue", project: "Project", comment: "Comment" };

/** https://linear.app/developers/webhooks#the-webhook-payload */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id, now }) {
    const type = TYPES[taskRecords[list]!];
    return {
      headers: { "linear-event": type, "linear-delivery": randomUUID() },
      body: {
        action: kind === "delete" ? "remove" : kind,
        type,
        createdAt: now.toISOString(),
        data: { id },
        webhookTimestamp: now.getTime(),
      },
    };
  },
};

export interface WebhookInput {
  url: string;
  secret?: string;
  label?: string;
  allPublicTeams?: boolean;
  resourceTypes: string[];
}

export function createWebhook(state: State, { url, secret = randomUUID(), resourceTypes, ...rest }: WebhookInput) {
  if (resourceTypes.length === 0)
    throw invalidInput("resourceTypes", "arrayNotEmpty", "resourceTypes should not be empty");
  const id = randomUUID();
  const covers = (list: string) => {
    const record = taskRecords[list];
    return record !== undefined && resourceTypes.includes(TYPES[record]);
  };
  registry.add(state, { id, url, secret, covers });
  return { success: true, webhook: { id, url, secret, resourceTypes, enabled: true, ...rest } };
}

export function deleteWebhook(state: State, { id }: { id: string }) {
  if (!registry.remove(state, id)) throw notFound("Webhook");
  return { success: true, entityId: id };
}
