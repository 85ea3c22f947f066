import { type Ticket, ticketing } from "../../categories/ticketing.ts";
import type { Context } from "../../contracts/provider.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";
import { firstTime } from "../../provider-kit/time.ts";
import { type AdfNode, adfToText } from "./adf.ts";

// Only the fields that are read. Any of them is missing if a client requests other fields.
export interface JiraIssue {
  id: string;
  key?: string;
  fields?: {
    summary?: string | null;
    status?: { name: string } | null;
    description?: AdfNode | string | null;
    created?: string;
    updated?: string;
  };
}
export interface JiraPage {
  issues: JiraIssue[];
  isLast?: boolean;
  /** Absent on the last page. */
  nextPageToken?: string;
}

const FIELDS = "summary,status,description,created,updated";

const siteOf = ({ settings }: Pick<Context, "settings">) =>
  settings.site_url ?? `https://${settings.site}.atlassian.net`;

export const toTicket = ({ id, key = id, fields = {} }: JiraIssue, context: Pick<Context, "settings">): Ticket => ({
  id,
  title: fields.summary ?? key,
  status: fields.status?.name ?? "",
  url: `${siteOf(context)}/browse/${key}`,
  description: adfToText(fields.description),
  created_at: firstTime(fields.created),
  updated_at: firstTime(fields.updated, fields.created),
});

export default implement(ticketing, {
  listTickets: list({
    // The more fields are requested, the fewer issues a page may have, so a short page is not the last one.
    // https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/#api-rest-api-3-search-jql-get
    maxPageSize: 100,
    items: (body: JiraPage) => body.issues,
    next: ({ body }: { body: JiraPage }) => (body.isLast ? null : body.nextPageToken),
    request: ({ limit, cursor }) =>
      // A search without a restriction is refused, and without `fields` only ids are returned.
      get(
        "/search/jql",
        { jql: "project is not EMPTY ORDER BY created DESC", fields: FIELDS },
        { maxResults: limit, nextPageToken: cursor },
      ),
    record: toTicket,
  }),
});
