import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { signIn, type Visitor } from "./support/visitor.ts";

/** A receiver that fails until it is told to work. */
let isBroken = true;
const receiver = createServer((_, response) => {
  response.statusCode = isBroken ? 500 : 200;
  response.end(isBroken ? "out of order <b>" : "thanks");
});

let service: TestService;
let visitor: Visitor;
let url: string;
beforeAll(async () => {
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  visitor = await signIn(service);
});
afterAll(async () => {
  await service.close();
  receiver.closeAllConnections();
  receiver.close();
});

const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const read = async (path: string) => textOf((await visitor.get(path)).html);

describe("the webhooks pages", () => {
  it("a webhook is created, tested, mended, sent again, changed and deleted", async () => {
    expect(await read("/webhooks")).toContain("No webhooks yet");
    const wrong = await visitor.post("/webhooks", { name: "Receiver", url: "nowhere", events: "nonsense" });
    expect(wrong.status).toBe(400);
    for (const field of ["url", "events"]) expect(wrong.html).toContain(`id="${field}-problem"`);

    const created = await visitor.post("/webhooks", {
      name: "Receiver",
      url,
      events: ["connection.*", "tasks.task.created"],
    });
    expect(created.html).toMatch(/id="webhook-secret"[^>]* value="whsec_/);
    const path = /href="\/dashboard(\/webhooks\/wh_\w+)"/.exec(created.html)![1]!;
    expect(await read("/webhooks")).toContain("connection.*, tasks.task.created");
    const boxes = (await visitor.get(path)).html.matchAll(/name="events" value="([^"]+)" checked/g);
    expect([...boxes].map(([, type]) => type)).toEqual(["connection.*", "tasks.task.created"]);

    await visitor.post(`${path}/test`);
    await expect.poll(() => read(path)).toMatch(/Pending webhook\.test evt_\w+ 500 .*out of order &lt;b&gt;/);
    expect(await read(path)).toContain("Failing");
    isBroken = false;
    const { html } = await visitor.get(path);
    const resend = /action="\/dashboard(\/webhooks\/wh_\w+\/deliveries\/\w+\/resend)"/.exec(html)![1]!;
    expect((await visitor.post(resend)).status).toBe(303);
    await expect.poll(() => read(`${path}?state=delivered`)).toMatch(/Delivered webhook\.test/);

    const rotated = await visitor.post(`${path}/rotate`);
    expect(rotated.html).toMatch(/id="webhook-secret"[^>]* value="whsec_/);
    await visitor.post(`${path}/enabled`, { enabled: "false" });
    expect(await read(path)).toMatch(/Off .*Turn it on/);
    expect((await visitor.post(path, { name: "Renamed", url, events: "*" })).status).toBe(303);
    const all = await visitor.get(path);
    expect(all.html.match(/ checked/g)).toHaveLength(1);
    expect(all.html).toMatch(/value="\*" checked[^<]*>All events/);
    expect(await read(`${path}/delete`)).toContain("Delete Renamed?");
    expect((await visitor.post(`${path}/delete`)).location).toBe("/dashboard/webhooks?done=webhook-deleted");
    expect((await visitor.get(path)).status).toBe(404);
  });

  it("what the API was given beyond the boxes has a box of its own, and is kept", async () => {
    const events = { "*": true, "git.issue.*": true, "connection.updated": false };
    const call = createPlatform(service, service.apiKey);
    const { id } = (await call("POST", "/v1/webhooks", { name: "Mixed", url, events })).body;
    const { html } = await visitor.get(`/webhooks/${id}`);
    const boxes = [...html.matchAll(/name="events" value="([^"]+)" checked/g)].map(([, value]) => value!);
    expect(textOf(html)).toMatch(/git\.issue\.\* .*Not connection\.updated/);
    expect((await visitor.post(`/webhooks/${id}`, { name: "Mixed", url, events: boxes })).status).toBe(303);
    expect((await call("GET", `/v1/webhooks/${id}`)).body.events).toEqual(events);
  });
});
