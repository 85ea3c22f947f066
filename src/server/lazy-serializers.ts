import selectSerializer from "@fastify/fast-json-stringify-compiler";
import { exactCheck } from "./exact-check.ts";

type Compiler = ReturnType<typeof selectSerializer>;

/**
 * Compiles what writes a route's responses at the first one: all serializers at the start would take 8 MB and 0.1 s. A
 * body that is exactly what its schema says does not need one.
 */
export const buildLazySerializer: Compiler = (schemas, options) => {
  const compile = selectSerializer()(schemas, options);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    const writeBySchema = (body: unknown) => {
      serialize ??= compile(route);
      return serialize(body);
    };
    let write: typeof writeBySchema | undefined;
    function createWriter() {
      const isExact = exactCheck(route.schema as object);
      return isExact ? (body: unknown) => (isExact(body) ? JSON.stringify(body) : writeBySchema(body)) : writeBySchema;
    }
    return (body: unknown) => {
      write ??= createWriter();
      return write(body);
    };
  };
};
