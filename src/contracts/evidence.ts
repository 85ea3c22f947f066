/**
 * What a provider is held against: an API description that its makers publish. The file itself is not part of this
 * project; the contract suite finds it in the folder that `CONTRACT_SPECS` names (see docs/contract-suite.md).
 */
export interface Description {
  file: string;
  /** Further files that are parts of the same document. */
  parts?: string[];
  format: "openapi" | "graphql" | "discovery";
  /** Not among the files that CI has: checked where someone has put it into the folder. */
  byHand?: boolean;
  /** Where its paths start, among the manifest's addresses. Default: `api`. */
  address?: string;
  /** A path that the description's paths have in front where that address does not have it, or the reverse. */
  prefix?: { described?: string; ours?: string };
  /** Paths that the description lacks, each with the described one that stands in for it; deviations tell the rest. */
  standIns?: Record<string, string>;
  /**
   * Answers of which the description says too little, by method, described path and status, each with a schema that is
   * made from the description's own parts.
   */
  replies?: Record<string, Record<string, unknown>>;
  /** Where we are right and the description is not. An entry that fits nothing any more fails the suite. */
  deviations?: Deviation[];
}

export interface Deviation {
  /** Part of a violation's text; `*` stands for anything. */
  violation: string;
  /** Why it is right, with a link where there is one. */
  reason: string;
}

/** Held against something else of the provider's own: answer types of an official SDK, recorded answers. */
export interface OtherEvidence {
  source: string;
  what: string;
}

export interface Evidence {
  descriptions: Description[];
  others?: OtherEvidence[];
}
