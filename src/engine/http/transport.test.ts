import { expect, it } from "vitest";
import { createResolver } from "./resolver.ts";
import { refusePrivate } from "./transport.ts";

/** Resolves a name to the given addresses, as a connect would, and dials none of them. */
const resolve = (addresses: string[]) =>
  new Promise<string>((done) => {
    const lookup = createResolver(refusePrivate, async () =>
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
