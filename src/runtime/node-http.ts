/** An `import` would load everything that the module exports, also Node's own client behind `fetch`, which nothing here uses. */
export const { METHODS, request } = process.getBuiltinModule("node:http");
