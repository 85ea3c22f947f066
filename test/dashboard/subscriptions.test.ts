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

describe("the subscriptions pages", () => {
  it("a list is subscribed to, run, paused, changed and deleted", async () => {
    expect(await read("/subscriptions")).toContain("No subscriptions yet");
    // A provider without webhooks: making one would start another run.
    const connection = service.connections.freshdesk!;
    const created = await visitor.post("/subscriptions/new", {
      connection,
      operation: "helpdesk.listTickets",
      interval_seconds: "3600",
      include_existing: "true",
    });
    expect([created.status, textOf(created.html)]).toEqual([303, expect.anything()]);
    const path = /\/dashboard(\/subscriptions\/sub_\w+)\?/.exec(created.location!)![1]!;
    await expect
      .poll(() => read("/subscriptions"))
      .toMatch(/helpdesk · List tickets .* Freshdesk Active Every hour .*ago \d+ records, \d+ created/);
    expect(await read(path)).toMatch(/Every hour .* The whole list .* About \d+ a day/);

    expect((await visitor.post(`${path}/pause`)).location).toBe(`/dashboard${path}?done=saved`);
    expect(await read(path)).toMatch(/Paused .*Resume/);
    await visitor.post(`${path}/resume`);
    expect((await visitor.post(`${path}/run`)).location).toBe(`/dashboard${path}?done=started`);
    expect(await read(`${path}?done=started`)).toMatch(/It runs as soon as there is time .*Active .*Pause/);

    const wrong = await visitor.post(path, { interval_seconds: "5" });
    expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('id="interval_seconds-problem"')]);
    await visitor.post(path, { interval_seconds: "90" });
    expect(await read(path)).toContain("Every 90 seconds");

    expect(await read(`${path}/delete`)).toContain("Delete this subscription?");
    expect((await visitor.post(`${path}/delete`)).location).toBe("/dashboard/subscriptions?done=subscription-deleted");
    expect((await visitor.get(path)).status).toBe(404);
  });

  it("a subscription says what starts it, and an integration what is done about webhooks", async () => {
    const { location } = await visitor.post("/subscriptions/new", {
      connection: service.connections.github!,
      operation: "git.listIssues",
      "params.repo": "acme/rocket",
      interval_seconds: "3600",
    });
    const path = /\/dashboard(\/subscriptions\/sub_\w+)\?/.exec(location!)![1]!;
    await expect.poll(() => read(path)).toMatch(/Started by Webhook also read every 10 hours/);
    expect(await read("/subscriptions")).toContain("Webhook");
    const slack = await visitor.get(`/integrations/${service.integrations.slack}`);
    expect(slack.html).toMatch(/<li>[^<]*<a href="https:\/\/api\.slack\.com\/apps"[^>]*>api\.slack\.com\/apps<\/a>/);
    const notion = `/integrations/${service.integrations.notion}`;
    expect(await read(notion)).not.toContain("Show the verification token");
    const { hook_url } = (await (
      await fetch(`${service.url}/platform/v1${notion}`, { headers: { authorization: `Bearer ${service.apiKey}` } })
    ).json()) as { hook_url: string };
    await fetch(hook_url, { method: "POST", body: '{"verification_token":"secret_from_notion"}' });
    expect(await read(notion)).toContain("Show the verification token");
    expect(await read(notion)).not.toContain("secret_from_notion");
    expect((await visitor.post(`${notion}/hook-secret`)).html).toContain("secret_from_notion");
    expect(await read(`/integrations/${service.integrations.github}`)).toMatch(
      /Webhooks Each connection makes webhooks at GitHub .*administrator/,
    );
  });

  it("only lists of the connection's provider are offered, with their own parameters and no others", async () => {
    const path = `/subscriptions/new?connection=${service.connections.github}&operation=git.listIssues`;
    const { html } = await visitor.get(path);
    const offered = [...html.matchAll(/<option value="(\w+\.\w+)"/g)].map(([, id]) => id);
    expect(offered).toContain("git.listIssues");
    expect(offered.filter((id) => !/^(git)\.list/.test(id!))).toEqual([]);
    expect(html).toContain('id="params.repo"');
    for (const name of ["limit", "after", "params", "updated_since"]) expect(html).not.toContain(`"query.${name}"`);
  });

  it("a parameter that is missing is named next to its field", async () => {
    const { status, html } = await visitor.post("/subscriptions/new", {
      connection: service.connections.github!,
      operation: "git.listIssues",
      interval_seconds: "300",
    });
    expect([status, html]).toEqual([400, expect.stringContaining('id="params.repo-problem">Is required<')]);
  });
});
