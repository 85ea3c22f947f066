/** Parameters of lists that no hook covers without them, by provider and list. */
const PARAMETERS: Record<string, Record<string, string>> = {
  // The folder "Projects" of the sandbox.
  "box drive.listFiles": { folder_id: "240100000097" },
};

export const givenParameters = (provider: string, list: string): Record<string, string> =>
  PARAMETERS[`${provider} ${list}`] ?? {};
