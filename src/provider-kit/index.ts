// `plugboard/provider-kit`: everything that a provider's files import, except for those of its emulator. What is not
// here is not for providers.
export { decodeHTMLStrict as decodeEntities } from "entities";
export type { Token, Tokens } from "marked";
export { type Calendar, type CalendarEvent, calendar } from "../categories/calendar.ts";
export { type ChatChannel, type ChatMessage, type ChatUser, chat } from "../categories/chat.ts";
export { type Company, type Contact, type ContactFields, crm, type Deal } from "../categories/crm.ts";
export { type DriveFile, drive } from "../categories/drive.ts";
export {
  type Branch,
  type Commit,
  git,
  type Issue,
  type IssueComment,
  type PullRequest,
  type Release,
  type Repository,
  type Tag,
} from "../categories/git.ts";
export { type Customer, type HelpdeskComment, type HelpdeskTicket, helpdesk } from "../categories/helpdesk.ts";
export { type Account, identity } from "../categories/identity.ts";
export { type Task, type TaskComment, type TaskFields, tasks } from "../categories/tasks.ts";
export { type Project, type Ticket, ticketing } from "../categories/ticketing.ts";
export type {
  Authorization,
  AuthType,
  Credentials,
  IssueContext,
  IssuedTokens,
  Setting,
  TokenAnswer,
} from "../contracts/authentication.ts";
export type { DescribedField, WrittenField } from "../contracts/custom-fields.ts";
export type { Deviation, Evidence } from "../contracts/evidence.ts";
export { Fault, invalidInput, ProviderFailure, UnusableKey } from "../contracts/fault.ts";
export type {
  ApplicationHooks,
  ConnectionHooks,
  HookContext,
  HookedList,
  HookRequest,
  NoHooks,
} from "../contracts/hooks.ts";
export type { DiscoverContext, Manifest } from "../contracts/manifest.ts";
export type { InputOf } from "../contracts/operation.ts";
export type {
  CategoryImplementation,
  Context,
  CustomFieldSource,
  DownloadSource,
  ImplementedCategory,
  IncomingFile,
  PageContext,
  Place,
  UploadTarget,
} from "../contracts/provider.ts";
export type { Answer, Query, Upstream, UpstreamRequest } from "../contracts/upstream.ts";

export { toAccount } from "./account.ts";
export { type Attachment, attachmentText } from "./attachments.ts";
export { joinName, toContact } from "./contact.ts";
export { toCompany, toDeal } from "./crm-records.ts";
export { chosen, customProblem, fieldNames, pointerTo, writeTo } from "./custom-fields.ts";
export { eventTimes, isRepeatedHour, localTime } from "./event-time.ts";
export {
  type InRepository,
  type Issuable,
  type ListedComment,
  type ListedRepository,
  type ListedTag,
  logins,
  repositoryPath,
  toCommit,
  toIssuable,
  toIssueComment,
  toRelease,
  toRepository,
  toTag,
} from "./git-records.ts";
export {
  type GooglePage,
  googleAccount,
  googleClientSteps,
  googleFailed,
  googleLogin,
  googleLoginAddresses,
  googleNextPage,
  googleOpenId,
  googleOpenIdScopes,
  googleScope,
  isMissingGoogleScope,
} from "./google.ts";
export { googleChannels, watchGoogle } from "./google-channels.ts";
export { hookedRepository, hookedTaskLists } from "./hooked-lists.ts";
export { implement, list, one, upload } from "./implement.ts";
export { clientCredentials, signedJwt, twoStep } from "./issued-tokens.ts";
export { signJwt } from "./jwt.ts";
export {
  type GraphPage,
  type GraphUser,
  graphAccount,
  graphAddresses,
  graphAddressOf,
  graphNextPage,
  graphOAuth,
  graphPageQuery,
} from "./microsoft-graph.ts";
export { graphSubscriptions } from "./microsoft-graph-subscriptions.ts";
export { mimeTypeOf } from "./mime-type.ts";
export { COLUMN_NAMES, columnFinder, type Described } from "./named-columns.ts";
export { defined, orNull } from "./optional.ts";
export { type LinkQuery, linkHeader, linkQuery, offset, pageNumber, pageWithin } from "./paging.ts";
export { secondsUntilReset } from "./rate-limit.ts";
export {
  fileRequest,
  get,
  graphql,
  header,
  patch,
  path,
  post,
  put,
  remove,
  search,
  segments,
} from "./request.ts";
export { bareWords, quotedWords, wordsOf } from "./search-text.ts";
export { isWebAddress } from "./text/address.ts";
export { CODE, DEL, DocumentBuilder, EM, STRONG } from "./text/document.ts";
export { emojiWithCode, replaceEmojiNames } from "./text/emoji.ts";
export { escapeEntities, escapeHtml } from "./text/escape.ts";
export { adfToMarkdown } from "./text/from-adf.ts";
export { googleChatToMarkdown } from "./text/from-google-chat.ts";
export { htmlToMarkdown } from "./text/from-html.ts";
export { mrkdwnToMarkdown } from "./text/from-mrkdwn.ts";
export { taggedMarkdownToMarkdown } from "./text/from-tagged-markdown.ts";
export { withoutLiterals } from "./text/mrkdwn-literals.ts";
export { outsideCode } from "./text/outside-code.ts";
export { checkboxOf, htmlText, parseMarkdown, plainText, textOf } from "./text/parse-markdown.ts";
export { plainToMarkdown, toText } from "./text/plain.ts";
export { tableText } from "./text/table-text.ts";
export { markdownToAdf } from "./text/to-adf.ts";
export { markdownToBodyHtml } from "./text/to-body-html.ts";
export { markdownToHtml } from "./text/to-html.ts";
export { markdownToMrkdwn } from "./text/to-mrkdwn.ts";
export { markdownToPlain } from "./text/to-plain.ts";
export { writeMarkdown } from "./text/write-markdown.ts";
export { ticketsFromHelpdesk, ticketsFromTasks } from "./tickets.ts";
export { firstTime, isoSeconds, isoTime, secondBefore, utcDay } from "./time.ts";
export { ianaTimeZone } from "./windows-time-zones.ts";
export { byName, refuseFields, unknownValue } from "./write.ts";
