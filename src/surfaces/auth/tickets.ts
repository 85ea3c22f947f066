import type { Signer } from "../../engine/index.ts";
import { newId } from "../../runtime/ids.ts";
import type { Flow } from "./flow.ts";

/** How long a page can be sent in, and how long the provider's answer is waited for. */
export const FLOW_LIFE_MS = 10 * 60_000;

/**
 * What a page carries so that only the browser that was shown it can send it in, for this very flow and for a while. It
 * names the connection to come: a form that is sent twice makes one connection.
 */
export function createTickets(signer: Signer) {
  const bound = ({ workspace, integration, redirectUri, externalId, state, connection }: Flow, browser: string) => [
    browser,
    workspace.id,
    integration.id,
    redirectUri,
    externalId,
    state,
    connection?.id ?? null,
  ];

  return {
    issue(flow: Flow, browser: string): string {
      const at = String(Date.now());
      const id = newId("conn");
      return `${at}.${id}.${signer.signText("ticket", at, id, ...bound(flow, browser))}`;
    },

    /** The id of the connection to come; undefined where the ticket is not this browser's, not this flow's or too old. */
    read(ticket: string, flow: Flow, browser: string): string | undefined {
      const [at = "", id = "", signature = ""] = ticket.split(".", 3);
      if (!signer.verifyText(signature, "ticket", at, id, ...bound(flow, browser))) return undefined;
      return Date.now() - Number(at) < FLOW_LIFE_MS ? id : undefined;
    },
  };
}
