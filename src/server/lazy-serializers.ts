import selectSerializer from "@fastify/fast-json-stringify-compiler";

type Compiler = ReturnType<typeof selectSerializer>;

/** Compiles the serializer of a route at its first response: all of them at the start would take 8 MB and 0.1 s. */
export const buildLazySerializer: Compiler = (schemas, options) => {
  const compile = selectSerializer()(schemas, options);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (body: unknown) => {
      serialize ??= compile(route);
      return serialize(body);
    };
  };
};
