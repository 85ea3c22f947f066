/** Values that `metadata` has at its top level, as text. */
export type MetadataFilter = Readonly<Record<string, string>>;

/** Whether the metadata has all the values. A number or a boolean matches the text that JSON writes for it. */
export const matches = (metadata: Readonly<Record<string, unknown>> | null, filter: MetadataFilter): boolean =>
  Object.entries(filter).every(([key, text]) => {
    const value = metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined;
    return typeof value === "string" ? value === text : isScalar(value) && JSON.stringify(value) === text;
  });

const isScalar = (value: unknown) => typeof value === "number" || typeof value === "boolean";
