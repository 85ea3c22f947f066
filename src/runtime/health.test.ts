import Fastify from "fastify";
import { expect, it } from "vitest";
import { health } from "./health.ts";
import { createMetrics } from "./metrics.ts";

it("/readyz is 200 only when all workers have been ready and the service is not stopping", async () => {
  let [starting, stopping] = [true, false];
  const app = Fastify();
  const reachable = { ping: async () => {} };
  await health(app, {
    store: reachable,
    coordination: reachable,
    metrics: createMetrics(),
    starting: () => starting,
    stopping: () => stopping,
  });
  const readiness = async () => {
    const response = await app.inject("/readyz");
    return [response.statusCode, response.json().status];
  };
  expect(await readiness()).toEqual([503, "starting"]);
  starting = false;
  expect(await readiness()).toEqual([200, "ready"]);
  stopping = true;
  expect(await readiness()).toEqual([503, "stopping"]);
});
