import type { Signer } from "../../engine/index.ts";
import { newId } from "../../runtime/ids.ts";
import type { ConnectFlow } from "./flow.ts";

/** How long a page can be submitted, and how long the user may take at the provider. */
export const FLOW_TTL_MS = 10 * 60_000;

/**
 * Signed values in the form. A page can only be submitted by the browser that opened it, for the same flow, and within
 * a limited time. A ticket contains the id of the connection to create, so a form that is submitted twice makes one
 * connection.
 */
export function createTickets(signer: Signer) {
  const binding = (
    { workspace, integration, redirectUri, externalId, state, connection, session }: ConnectFlow,
    browser: string,
  ) => [
    browser,
    workspace.id,
    integration.id,
    redirectUri,
    externalId,
    state,
    connection?.id ?? null,
    ...(session ? [session.id] : []),
  ];

  return {
    issue(flow: ConnectFlow, browser: string): string {
      const at = String(Date.now());
      const id = newId("conn");
      return `${at}.${id}.${signer.signText("ticket", at, id, ...binding(flow, browser))}`;
    },

    /** The id of the connection to create; undefined if the ticket is for another browser or flow, or has expired. */
    read(ticket: string, flow: ConnectFlow, browser: string): string | undefined {
      const [at = "", id = "", signature = ""] = ticket.split(".", 3);
      if (!signer.verifyText(signature, "ticket", at, id, ...binding(flow, browser))) return undefined;
      return Date.now() - Number(at) < FLOW_TTL_MS ? id : undefined;
    },
  };
}
