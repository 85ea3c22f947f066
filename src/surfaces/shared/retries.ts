const DEFAULT_RETRIES = 3;
const MAX_RETRIES = 5;

/** Reads a `Max-Retries` header; undefined if it is not a number. An empty header counts as absent. */
export const readRetries = (text: string | undefined): number | undefined => {
  if (!text) return DEFAULT_RETRIES;
  return /^[0-9]+$/.test(text) ? Math.min(Number(text), MAX_RETRIES) : undefined;
};
