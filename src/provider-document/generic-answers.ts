import type { Setting } from "../contracts/authentication.ts";
import { withValues } from "../contracts/json-pointer.ts";
import type { GenericAnswers } from "../contracts/manifest.ts";
import type { ProviderDocument } from "./schema.ts";

/** One of these is valid for most settings. */
const SAMPLES = [
  "sandbox",
  "demo",
  "eu",
  "us1",
  "1",
  "12345",
  "00000000-0000-4000-8000-000000000000",
  "sandbox.example.com",
];

function sampleOf({ pattern, placeholder, choices = [] }: Setting): string | undefined {
  const valid = new RegExp(`^(?:${pattern})$`);
  return [placeholder, ...choices, ...SAMPLES].find((value) => value !== undefined && valid.test(value));
}

/** What the sandbox answers for a provider by a document: values for the settings that it says where to find. */
export function genericAnswers(
  { auth: { oauth2 }, discover }: ProviderDocument,
  settings: Record<string, Setting>,
): GenericAnswers {
  const samples: Record<string, string> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const sample = sampleOf(setting);
    if (sample !== undefined) samples[name] = sample;
  }
  /** The samples, each under the name or pointer that the document has for it. */
  const under = (names: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(names).flatMap(([name, key]) => (samples[name] ? [[key, samples[name]]] : [])));
  const elsewhere = discover && !discover.get.startsWith("/") ? new URL(discover.get).pathname : undefined;
  const path = elsewhere ?? discover?.get.split("?", 1)[0];
  return {
    settings: samples,
    ...(oauth2?.redirect_settings ? { redirect: under(oauth2.redirect_settings) } : {}),
    ...(oauth2?.token_settings ? { token: withValues(under(oauth2.token_settings)) } : {}),
    ...(discover && path !== undefined
      ? { bodies: [{ to: elsewhere ? "discover" : "api", path, body: withValues(under(discover.take)) }] }
      : {}),
  };
}
