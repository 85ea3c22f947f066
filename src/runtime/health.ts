import type { FastifyInstance } from "fastify";
import type { Coordination } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import type { Metrics } from "./metrics.ts";
import { answers } from "./ping-with-timeout.ts";

export interface HealthOptions {
  store: Pick<Store, "ping">;
  coordination: Pick<Coordination, "ping">;
  metrics: Metrics;
  /** Whether the service is on its way out. */
  stopping(): boolean;
}

/** For orchestrators and monitoring: alive, ready, and numbers. */
export async function health(app: FastifyInstance, { store, coordination, metrics, stopping }: HealthOptions) {
  app.get("/healthz", async () => ({ status: "ok" }));

  app.get("/readyz", async (_, reply) => {
    const [storeAnswers, coordinationAnswers] = await Promise.all([answers(store), answers(coordination)]);
    // Rate limits and locks are kept per process while the shared ones are away: that is no reason to serve nothing.
    const ready = storeAnswers && !stopping();
    return reply.code(ready ? 200 : 503).send({
      status: stopping() ? "stopping" : ready ? "ready" : "not ready",
      store: storeAnswers ? "ok" : "does not answer",
      coordination: coordinationAnswers ? "ok" : "does not answer",
    });
  });

  app.get("/metrics", async (_, reply) => {
    const { type, body } = await metrics.render();
    return reply.type(type).send(body);
  });
}
