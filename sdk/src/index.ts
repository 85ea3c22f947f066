export type { Download } from "./calls.ts";
export { type ConnectionClient, type PlatformClient, Plugboard } from "./client.ts";
export * from "./errors.ts";
export type * from "./events.gen.ts";
export { List, type Page } from "./list.ts";
export type * from "./platform.gen.ts";
export type { Addresses, Content, PlugboardOptions, RequestOptions } from "./transport.ts";
export type * from "./unified.gen.ts";
export { verifyWebhook } from "./webhooks.ts";
