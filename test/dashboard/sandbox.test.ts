import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";
import { signIn, type Visitor } from "./support/visitor.ts";

let service: TestService;
let visitor: Visitor;
beforeAll(async () => {
  service = await startService();
  visitor = await signIn(service);
});
afterAll(() => service.close());

const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const read = async (path: string) => textOf((await visitor.get(path)).html);

describe("the sandbox page", () => {
  it("the sandbox page makes a provider fail, lists the faults that wait, and removes them", async () => {
    const fault = { provider: "github", effect: "403", path: "/user", times: "3" };
    expect((await visitor.post("/sandbox/faults", fault)).location).toBe("/dashboard/sandbox?done=fault-made");
    expect(await read("/sandbox?done=fault-made")).toMatch(
      /Done: the provider will fail\..*GitHub answers 403 \/user 3/,
    );
    await visitor.post("/sandbox/faults/clear");
    expect(await read("/sandbox")).toContain("Every emulated provider answers as it should.");
  });

  it("the sandbox page says what is wrong with a fault or a change", async () => {
    const wrong = await visitor.post("/sandbox/faults", { provider: "nobody", effect: "403", times: "0" });
    expect([wrong.status, textOf(wrong.html)]).toEqual([400, expect.stringContaining("times must be &gt;= 1")]);
    const change = { "change-provider": "github", list: "chat.listUsers", create: "1" };
    const refused = await visitor.post("/sandbox/changes", change);
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('role="alert"')]);
  });

  it("the sandbox page changes the records of a list, and shows the requests that reached a provider", async () => {
    const change = { "change-provider": "trello", list: "tasks.listTasks", create: "2", update: "1", delete: "" };
    expect((await visitor.post("/sandbox/changes", change)).location).toBe("/dashboard/sandbox?done=changed");
    await visitor.post(`/connections/${service.connections.linear}/test`);
    expect(await read("/sandbox?seen=linear")).toMatch(/The latest requests.* 200 Linear POST \/graphql/);
    expect(await read("/sandbox?seen=trello")).toContain("None yet");
    await visitor.post("/sandbox/requests/clear");
    expect(await read("/sandbox")).toContain("None yet");
  });
});

describe("a connection whose access was withdrawn", () => {
  it("a connection whose access was withdrawn is flagged with the reason on the overview, on its page and in the events", async () => {
    const id = service.connections.slack!;
    await visitor.post("/sandbox/faults", { provider: "slack", effect: "revoke", path: "", times: "1" });
    const failed = textOf((await visitor.post(`/connections/${id}/test`)).html);
    expect(failed).toContain("the connection is no longer valid (invalid_refresh_token): connect again");
    expect(failed).toContain("The account has to be connected again. invalid_refresh_token");
    expect(await read("")).toMatch(/1 need attention .*sandbox Slack Needs attention invalid_refresh_token/);
    await expect.poll(() => read("/events?type=connection.invalid")).toMatch(/connection\.invalid evt_\w+ conn_/);
    expect(await read(`/events?connection_id=${service.connections.github}`)).not.toContain("connection.invalid evt");
    const wrong = await visitor.get("/events?type=nonsense");
    expect([wrong.status, wrong.html]).toEqual([
      400,
      expect.stringContaining('id="type-problem">Unknown event types: nonsense'),
    ]);
  });

  it("a reconnect link leads to the provider's consent", async () => {
    const { html } = await visitor.post(`/connections/${service.connections.slack}/reconnect`);
    const link = /id="connect-link"[^>]* value="([^"]+)"/.exec(html)![1]!;
    expect(link.startsWith(service.config.urls.auth)).toBe(true);
    expect(await (await fetch(link)).text()).toContain("Slack");
    const week = await visitor.post(`/connections/${service.connections.slack}/reconnect`, { expires_in: "604800" });
    expect(week.html).toMatch(/It works once, until <time[^>]*>[^<]*<\/time> \(in [67] days\)/);
  });
});
