import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { Cancellation } from "./cancellation.ts";
import { refuseSome } from "./guarded-connector.ts";
import { isPrivateAddress } from "./private-address.ts";
import { createResolver } from "./resolver.ts";
import { createTransport } from "./transport.ts";

/** Resolves a name to the given addresses, as a connect would, and dials none of them. */
const resolve = (addresses: string[]) =>
  new Promise<string>((done) => {
    const lookup = createResolver(refuseSome(isPrivateAddress), async () =>
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
    lookup("rebinding.example", { all: true }, (error, found) =>
      done(error ? error.message : (found as { address: string }[]).map(({ address }) => address).join(" ")),
    );
  });

it("a name is refused if any of its addresses is private, whatever their order", async () => {
  expect(await resolve(["93.184.216.34", "127.0.0.1"])).toMatch(/private address/);
  expect(await resolve(["127.0.0.1", "93.184.216.34"])).toMatch(/private address/);
  expect(await resolve(["2606:2800:220:1::1", "fd00::1"])).toMatch(/private address/);
});

it("a name with public addresses only resolves to all of them", async () => {
  expect(await resolve(["93.184.216.34", "2606:2800:220:1::1"])).toBe("93.184.216.34 2606:2800:220:1::1");
});

it("a name without any address is refused", async () => {
  expect(await resolve([])).toMatch(/private address/);
});

it("as many calls to one origin wait as are allowed, and others can again when they have ended", async () => {
  const open: ServerResponse[] = [];
  const server = createServer((_, response) => open.push(response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const transport = createTransport({
    allowPrivateUpstreams: true,
    maxBodyBytes: 1e6,
    maxValues: 1e6,
    trustedOrigin: undefined,
    backlog: 2,
  });
  onTestFinished(async () => {
    await transport.close();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = async () =>
    (await transport.buffer({ origin, path: "/", method: "GET", headers: {} }, new Cancellation())).statusCode;
  for (let round = 0; round < 2; round++) {
    const calls = [call(), call()];
    await expect(call()).rejects.toMatchObject({ kind: "overloaded", retryAfter: 1 });
    await expect.poll(() => open.length).toBe(2);
    open.shift()!.end();
    expect(await Promise.race(calls)).toBe(200);
    calls.push(call());
    await expect(call()).rejects.toMatchObject({ kind: "overloaded" });
    await expect.poll(() => open.length).toBe(2);
    for (const response of open.splice(0)) response.end();
    expect(await Promise.all(calls)).toEqual([200, 200, 200]);
  }
});
