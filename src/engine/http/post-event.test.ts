import type { LookupAddress } from "node:dns";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Receiver, startReceiver, status } from "../../../test/events/support/receiver.ts";
import { Cancellation } from "./cancellation.ts";
import { createEventPoster } from "./post-event.ts";

const request = (url: string, timeoutMs = 10_000) => ({
  url,
  headers: { "content-type": "application/json", "webhook-id": "evt_1" },
  body: '{"type":"webhook.test"}',
  timeoutMs,
});

describe("posting events", () => {
  let receiver: Receiver;
  const open = createEventPoster({ allowPrivateUpstreams: true });
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await open.close();
    await receiver.close();
  });

  it("an event is sent to the path and query of its address, with its body and headers", async () => {
    receiver.answer(status(202, { "retry-after": "7" }, "thank you"));
    const answer = await open.post(request(`${receiver.url}/hook?token=made-up`));
    expect(answer).toEqual({ outcome: "answered", status: 202, answer: "thank you", retryAfterSeconds: 7 });
    expect(receiver.received.at(-1)).toMatchObject({
      path: "/hook?token=made-up",
      body: '{"type":"webhook.test"}',
      headers: { "webhook-id": "evt_1", "content-type": "application/json" },
    });
  });

  it("a redirect of a receiver is not followed", async () => {
    const before = receiver.received.length;
    receiver.answer(status(307, { location: `${receiver.url}/elsewhere` }));
    expect(await open.post(request(receiver.url))).toMatchObject({ outcome: "answered", status: 307 });
    expect(receiver.received.length).toBe(before + 1);
  });

  it("only the beginning of a receiver's endless answer is read", async () => {
    let closed = false;
    receiver.answer((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x".repeat(4096)), 1);
      response.on("close", () => {
        closed = true;
        clearInterval(timer);
      });
    });
    expect(await open.post(request(receiver.url))).toMatchObject({ status: 200, answer: "x".repeat(2048) });
    await expect.poll(() => closed).toBe(true);
  });

  it("posting an event ends after its time, and when it is canceled", async () => {
    receiver.answer(() => {});
    expect(await open.post(request(receiver.url, 50))).toEqual({
      outcome: "timeout",
      error: "no answer within 0.05 s",
    });
    const stop = new Cancellation();
    const stopped = open.post(request(receiver.url), stop);
    stop.cancel();
    expect(await stopped).toMatchObject({ outcome: "cancelled" });
  });

  it("an event that cannot be posted says why there is no connection", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await open.post(request(`http://127.0.0.1:${port}`))).toEqual({
      outcome: "unreachable",
      error: "no connection: ECONNREFUSED",
    });
  });

  describe("without leave for private addresses", () => {
    const resolved: string[] = [];
    let addresses: LookupAddress[] = [];
    const closed = createEventPoster({
      allowPrivateUpstreams: false,
      async resolve(name) {
        resolved.push(name);
        return addresses;
      },
    });
    afterAll(() => closed.close());

    it("no event is posted to a private address, written as it is or behind a name that changes", async () => {
      receiver.answer(status(200));
      const sockets = receiver.sockets();
      const forbidden = { outcome: "forbidden", error: "the address is private" };
      expect(await closed.post(request(receiver.url))).toEqual(forbidden);
      // Public when it was checked, private when it is dialed.
      addresses = [{ address: "93.184.216.34", family: 4 }];
      expect(await closed.refuseAddress("https://rebinding.example/hook")).toBeUndefined();
      addresses = [{ address: "127.0.0.1", family: 4 }];
      expect(await closed.post(request(`http://rebinding.example:${receiver.port}`))).toEqual(forbidden);
      addresses = [
        { address: "93.184.216.34", family: 4 },
        { address: "169.254.169.254", family: 4 },
      ];
      expect(await closed.post(request("http://metadata.example"))).toEqual(forbidden);
      expect(resolved).toEqual(["rebinding.example", "rebinding.example", "metadata.example"]);
      expect(receiver.sockets()).toBe(sockets);
    });

    it.each([
      ["http://example.com/hook", /https address/],
      ["https://127.0.0.1/hook", /private address/],
      ["https://[::1]/hook", /private address/],
      ["https://[::ffff:10.0.0.1]/hook", /private address/],
      ["https://2130706433/hook", /private address/],
      ["https://inside.example/hook", /private address/],
    ])("the address %s is refused when a webhook is created", async (url, reason) => {
      addresses = [{ address: "10.0.0.7", family: 4 }];
      expect(await closed.refuseAddress(url)).toMatch(reason);
    });

    it("a public https address with a query is accepted for a webhook", async () => {
      addresses = [{ address: "93.184.216.34", family: 4 }];
      expect(await closed.refuseAddress("https://hooks.example/services/1?token=made-up")).toBeUndefined();
    });
  });
});
