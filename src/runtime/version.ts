import manifest from "../../package.json" with { type: "json" };

/** The version of Plugboard. */
export const VERSION: string = manifest.version;
