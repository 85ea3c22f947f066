import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { reply } from "../../../emulator-kit/emulator.ts";
import { MEMBERS, type SandboxCard, type State } from "./data.ts";

/** Most errors are a plain line of text. */
const ERRORS: Record<number, string> = {
  400: "invalid value",
  401: "invalid token",
  403: "unauthorized permission requested",
  404: "The requested resource was not found.",
};

/** https://developer.atlassian.com/cloud/trello/guides/rest-api/rate-limits/ */
export function failure(status: number): EmulatedReply {
  if (status === 429) return reply(429, { error: "API_TOKEN_LIMIT_EXCEEDED", message: "Rate limit exceeded" });
  return reply(status, ERRORS[status] ?? "Server error");
}

/** An object with the requested fields, and always its id. */
export function selectFields(item: object, { query }: EmulatedRequest, parameter = "fields"): object {
  const requested = query.get(parameter);
  if (requested === null || requested === "all") return item;
  const names = ["id", ...requested.split(",")];
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

/** A card with the requested fields and, on request, its members. */
export const shownCard =
  (request: EmulatedRequest) =>
  (card: SandboxCard): object => {
    const members = MEMBERS.filter(({ id }) => card.idMembers.includes(id));
    return {
      ...selectFields(card, request),
      ...(request.query.get("members") === "true"
        ? { members: members.map((member) => selectFields(member, request, "member_fields")) }
        : {}),
    };
  };

/** A route below one card, which refuses an invalid or unknown card id. A card also has a short id. */
export function cardRoute(handle: (card: SandboxCard, request: EmulatedRequest, state: State) => EmulatedReply) {
  return (request: EmulatedRequest, state: State) => {
    const { card: id = "" } = request.params;
    if (!/^(?:[0-9a-f]{24}|[0-9A-Za-z]{8})$/.test(id)) return reply(400, "invalid id");
    const card = state.cards.find((card) => card.id === id || card.shortLink === id);
    return card ? handle(card, request, state) : failure(404);
  };
}
