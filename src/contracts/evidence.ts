/**
 * An API description published by the provider, which the contract suite checks our requests and emulations against.
 * The file itself is not part of this project: the suite looks for it in the folder that `CONTRACT_SPECS` names (see
 * docs/contract-suite.md).
 */
export interface Description {
  file: string;
  /** More files of the same document. */
  parts?: string[];
  format: "openapi" | "graphql" | "discovery" | "stone";
  /** CI does not have this file: it is only checked if someone has put it into the folder. */
  byHand?: boolean;
  /** Which of the manifest's addresses its paths are relative to. Default: `api`. */
  address?: string;
  /** A path prefix that only the description's paths have (`described`), or only ours (`ours`). */
  prefix?: { described?: string; ours?: string };
  /** Paths missing from the description, each with a described path to check against; `deviations` cover the rest. */
  standIns?: Record<string, string>;
  /**
   * Response schemas to use where the description says too little, by method, described path and status. They are built
   * from the description's own parts.
   */
  replies?: Record<string, Record<string, unknown>>;
  /** Where we are right and the description is wrong. An entry that no longer matches a violation fails the suite. */
  deviations?: Deviation[];
}

export interface Deviation {
  /** Part of a violation's text; `*` matches anything. */
  violation: string;
  /** Why we are right, with a link if there is one. */
  reason: string;
}

/** Another source that the provider is checked against: an official SDK's response types, recorded responses. */
export interface OtherEvidence {
  source: string;
  what: string;
}

export interface Evidence {
  descriptions: Description[];
  others?: OtherEvidence[];
}
