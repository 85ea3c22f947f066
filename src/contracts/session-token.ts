/** What the token of a dashboard session starts with. It is accepted wherever an API key is. */
export const SESSION_TOKEN_PREFIX = "pbs_";

export const isSessionToken = (token: string | undefined): boolean => token?.startsWith(SESSION_TOKEN_PREFIX) ?? false;
