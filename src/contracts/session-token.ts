/** What the token of a dashboard session starts with. The dashboard's own calls use it as an API key. */
export const SESSION_TOKEN_PREFIX = "pbs_";

export const isSessionToken = (token: string | undefined): boolean => token?.startsWith(SESSION_TOKEN_PREFIX) ?? false;
