import type { ToolReply, ToolSet } from "../../../src/surfaces/unified/mcp/server.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const text = (value: string) => ({ type: "text", text: value });
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const resource = (uri: string, mimeType: string, value: string) => ({
  type: "resource",
  resource: { uri, mimeType, text: value },
});

/** The results that the scenarios of the conformance suite expect. */
const results: Record<string, object> = {
  test_simple_text: { content: [text("This is a simple text response for testing.")] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] },
  test_embedded_resource: {
    content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  },
  test_multiple_content_types: {
    content: [
      text("Multiple content types test:"),
      image,
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  },
  test_error_handling: { content: [text("This tool intentionally returns an error for testing")], isError: true },
};

const schemas: Record<string, object> = {
  json_schema_2020_12_tool: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
};

export const fixtureTools: ToolSet = {
  title: "Fixtures",
  instructions: "",
  list: () =>
    [...Object.keys(results), ...Object.keys(schemas)].map((name) => ({
      name,
      description: `Fixture ${name}`,
      inputSchema: schemas[name] ?? { type: "object", properties: {} },
    })),
  call({ name }) {
    const result = results[name] ?? (schemas[name] && { content: [text("ok")] });
    return result && Promise.resolve(result as ToolReply);
  },
};
