import type { FastifyInstance } from "fastify";
import type { Access } from "../../contracts/access.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What a request needs. */
    access?: Access;
  }
}

/** Declares what every route that is added from now on needs, unless it says so itself. */
export function declareAccess(app: FastifyInstance, access: Access): void {
  app.addHook("onRoute", (route) => {
    route.config = { access, ...route.config };
  });
}
