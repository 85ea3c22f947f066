import Type, { type TSchema } from "typebox";
import { Fault } from "../../contracts/fault.ts";

export const IdParameter = Type.Object({ id: Type.String({ description: "Its id" }) });

interface RouteParts {
  description?: string;
  params?: TSchema;
  querystring?: TSchema;
  body?: TSchema;
  200?: TSchema;
  201?: TSchema;
}

type Responses<P extends RouteParts> = {
  [status in Extract<keyof P, 200 | 201>]: P[status] extends TSchema ? P[status] : never;
};

/** A route's schema: its input and its success responses. `operationId` names it in generated clients. */
export const describeRoute =
  (tag: string) =>
  <const P extends RouteParts>(operationId: string, summary: string, { 200: ok, 201: created, ...parts }: P) => ({
    operationId,
    summary,
    tags: [tag],
    ...(parts as Omit<P, 200 | 201>),
    response: { ...(ok ? { 200: ok } : {}), ...(created ? { 201: created } : {}) } as Responses<P>,
  });

export const notFound = () => new Fault("not_found", "not found in this workspace");

export function requireFound<Entity>(entity: Entity | undefined): Entity {
  if (!entity) throw notFound();
  return entity;
}
