// `plugboard/provider-kit/sandbox`: what the emulators of providers, and their `evidence.ts`, import beside the provider
// kit. What a GraphQL API needs is in `graphql.ts`, because it loads a large library.
export type {
  ChangeKind,
  EmulatedHandshake,
  EmulatedHook,
  EmulatedHooks,
  EmulatedReply,
  EmulatedRequest,
  EmulatedRoute,
  EmulatedTokens,
  EmulatedTool,
  HookedChange,
  RefusedToken,
} from "../contracts/emulator.ts";

export {
  changeableList,
  chatLists,
  eventParameters,
  eventWindow,
  firstFilled,
  helpdeskLists,
  listAt,
  listsByKey,
  taskLists,
} from "./changes.ts";
export {
  checkFields,
  collection,
  cut,
  cutAfter,
  isText,
  linkHeader,
  linkTo,
  makeCursor,
  numberedPage,
  readCursor,
  sentFields,
  wholeNumber,
} from "./collection.ts";
export { type CustomSample, customFields, customSample } from "./custom-fields.ts";
export {
  alike,
  awkwardName,
  awkwardTexts,
  hour,
  inHtml,
  person,
  remembered,
  seeded,
  times,
  toDay,
  toSecond,
  uuid,
} from "./data.ts";
export { bearerToken, countWritten, emulate, nextWrite, refuse, reply } from "./emulator.ts";
export {
  type Content,
  type Contents,
  fileReply,
  keepContent,
  readContentRange,
  readParts,
  uploadSessions,
} from "./file.ts";
export { gitChanges, newHash, onlyNewCommits, repositoryLists } from "./git-changes.ts";
export {
  branchName,
  bySince,
  byState,
  type ContentOf,
  commitAuthor,
  gitServer,
  makeRepositories,
} from "./git-server.ts";
export {
  googleEmulator,
  googleFailureWithReason,
  googleFailureWithStatus,
  googleFields,
  googlePage,
} from "./google.ts";
export { googleChannels } from "./google-channels.ts";
export { CLIENT_SECRET, HOOK_SECRET, hookRegistry, type RegisteredHook, taskRecords } from "./hooks.ts";
export { jwtTimeProblem, readJwt } from "./jwt.ts";
export {
  type EmulatedGraphUser,
  graphEmulator,
  graphEntity,
  graphError,
  graphFailures,
  graphGuid,
  graphList,
  graphMe,
  graphPaginate,
  graphSelected,
  graphUser,
} from "./microsoft-graph.ts";
export { graphDescription } from "./microsoft-graph-evidence.ts";
export { graphSubscriptions } from "./microsoft-graph-subscriptions.ts";
export { hasWords } from "./text-search.ts";
