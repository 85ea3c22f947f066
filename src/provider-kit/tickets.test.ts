import { expect, it } from "vitest";
import type { helpdesk } from "../categories/helpdesk.ts";
import type { CategoryImplementation, OneImplementation } from "../contracts/provider.ts";
import { one } from "./implement.ts";
import { get } from "./request.ts";
import { ticketsFromHelpdesk } from "./tickets.ts";

it("a help desk's ticket without a subject has its ID as title in ticketing", () => {
  const operations: CategoryImplementation<typeof helpdesk.operations> = {
    getTicket: one({
      request: () => get("/ticket"),
      record: (subject: string | null) => ({ id: "7", subject }) as never,
    }),
  };
  const { record } = ticketsFromHelpdesk(operations).operations.getTicket as OneImplementation;
  expect(record("Größe falsch", {} as never)).toMatchObject({ title: "Größe falsch" });
  expect(record(null, {} as never)).toMatchObject({ title: "#7" });
});
