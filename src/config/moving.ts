import { matching, variable } from "./define.ts";

const MIN_PASSPHRASE_LENGTH = 12;

/** Whether an export can be sealed with it. */
export const isPassphrase = (text: string): boolean => text.length >= MIN_PASSPHRASE_LENGTH;

/** The variables that `plugboard export` and `plugboard import` read. */
export const movingVariables = {
  EXPORT_PASSPHRASE: variable(
    "",
    `at least ${MIN_PASSPHRASE_LENGTH} characters`,
    (text) => (isPassphrase(text) ? text : undefined),
    { secret: true },
  ),
  NANGO_SECRET_KEY: variable("", "the secret key of an environment of Nango", (text) => text, { secret: true }),
  NANGO_ENCRYPTION_KEY: variable("", "32 bytes as base64, as Nango has it", matching(/^[A-Za-z0-9+/]{43}=$/), {
    secret: true,
  }),
};
