// What the generators of all SDKs share: JSON schemas, and names.

export interface JsonSchema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  minProperties?: number;
}

export const isObject = ({ type }: JsonSchema) => type === "object" || (Array.isArray(type) && type.includes("object"));

export const camelCase = (text: string) => text.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
export const pascalCase = (text: string) => camelCase(text).replace(/^\w/, (letter) => letter.toUpperCase());
export const snakeCase = (text: string) =>
  text.replaceAll("-", "_").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The name of a schema that the document has by itself. */
export const refName = ({ $ref }: JsonSchema) => $ref?.split("/").at(-1);

/** What is said about an operation or a route. */
export const aboutOf = ({ summary, description }: { summary: string; description?: string }) =>
  [summary, description].filter(Boolean).join(". ");
