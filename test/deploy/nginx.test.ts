import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";

const text = readFileSync(join(import.meta.dirname, "../../deploy/nginx.conf"), "utf8");

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

it("nginx.conf blocks every path under which Plugboard serves metrics and health, with a trailing slash too", async () => {
  const blocked = [...text.matchAll(/location ~ (\S+) \{\s*return 404;/g)].map(([, pattern]) => new RegExp(pattern!));
  expect(blocked.length).toBeGreaterThan(0);
  for (const name of ["metrics", "healthz", "readyz"]) {
    const served: string[] = [];
    for (const path of [`/${name}`, `/${name}/`, `/${name}//`, `/${name}/x`, `/${name.toUpperCase()}`])
      if ((await fetch(`${service.url}${path}`)).status === 200) served.push(path);
    expect(served).toEqual(expect.arrayContaining([`/${name}`, `/${name}/`]));
    for (const path of served)
      expect(
        blocked.some((pattern) => pattern.test(path)),
        path,
      ).toBe(true);
  }
  expect(blocked.some((pattern) => pattern.test("/metricsx") || pattern.test("/unified/v1/metrics"))).toBe(false);
});
