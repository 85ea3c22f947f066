import Type, { type TSchema } from "typebox";
import type { Scope } from "../../contracts/access.ts";
import { Fault } from "../../contracts/fault.ts";
import type { Headers } from "../shared/openapi.ts";

export const IdParameter = Type.Object({ id: Type.String({ description: "Its id" }) });

interface RouteParts {
  /** What the audit log calls it, such as `connection.delete`: of a route that changes something or shows a secret. */
  action?: string;
  /** Whether a key that is bound to some connections is refused. */
  wholeWorkspace?: boolean;
  description?: string;
  /** Statuses of errors that few routes have. */
  errors?: readonly (409 | 413)[];
  /** Headers of a success that few routes have. */
  responseHeaders?: Headers;
  params?: TSchema;
  querystring?: TSchema;
  body?: TSchema;
  200?: TSchema;
  201?: TSchema;
}

type Responses<P extends RouteParts> = {
  [status in Extract<keyof P, 200 | 201>]: P[status] extends TSchema ? P[status] : never;
};

/**
 * A route's schema: the scope that it needs, its input and its success responses. `operationId` names it in generated
 * clients.
 */
export const describeRoute =
  (tag: string, shared: Pick<RouteParts, "wholeWorkspace"> = {}) =>
  <const P extends RouteParts>(
    operationId: string,
    scope: Scope,
    summary: string,
    { 200: ok, 201: created, wholeWorkspace = shared.wholeWorkspace ?? false, ...parts }: P,
  ) => ({
    operationId,
    access: { scope, wholeWorkspace },
    summary,
    tags: [tag],
    ...(parts as Omit<P, 200 | 201 | "wholeWorkspace">),
    response: { ...(ok ? { 200: ok } : {}), ...(created ? { 201: created } : {}) } as Responses<P>,
  });

export const notFound = () => new Fault("not_found", "not found in this workspace");

export function requireFound<Entity>(entity: Entity | undefined): Entity {
  if (!entity) throw notFound();
  return entity;
}
