import type { Html } from "../../../runtime/html.ts";
import { field } from "./fields.ts";

const lifetimes = [
  ["1800", "30 minutes"],
  ["86400", "1 day"],
  ["604800", "7 days"],
] as const;

/** How long the link works that a form makes: longer for one that is sent by email. */
export const lifetimeField = (chosen?: string | null, hideLabel = false): Html =>
  field({
    name: "expires_in",
    label: "The link works for",
    value: chosen ?? "1800",
    options: lifetimes.map(([seconds, text]) => [seconds, hideLabel ? `Link for ${text}` : text]),
    hideLabel,
  });

export const readLifetime = (form: URLSearchParams) =>
  form.has("expires_in") ? { expires_in: Number(form.get("expires_in")) } : {};
