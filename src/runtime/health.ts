import type { FastifyInstance } from "fastify";
import type { Coordination } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import type { Metrics } from "./metrics.ts";
import { respondsToPing } from "./ping-with-timeout.ts";
import { VERSION } from "./version.ts";

export interface HealthOptions {
  store: Pick<Store, "ping">;
  coordination: Pick<Coordination, "ping">;
  metrics: Metrics;
  /** Whether another worker has not been ready yet. */
  starting(): boolean;
  /** Whether the service is shutting down. */
  stopping(): boolean;
}

/** For orchestrators and monitoring: liveness, readiness and metrics. */
export async function health(
  app: FastifyInstance,
  { store, coordination, metrics, starting, stopping }: HealthOptions,
) {
  app.get("/healthz", async () => ({ status: "ok", version: VERSION }));

  app.get("/readyz", async (_, reply) => {
    const [storeUp, coordinationUp] = await Promise.all([respondsToPing(store), respondsToPing(coordination)]);
    // Without coordination, rate limits are counted per process: no reason to serve nothing.
    const ready = storeUp && !stopping() && !starting();
    return reply.code(ready ? 200 : 503).send({
      status: stopping() ? "stopping" : ready ? "ready" : starting() ? "starting" : "not ready",
      store: storeUp ? "ok" : "unavailable",
      coordination: coordinationUp ? "ok" : "unavailable",
    });
  });

  app.get("/metrics", async (_, reply) => {
    const { type, body } = await metrics.render();
    return reply.type(type).send(body);
  });
}
