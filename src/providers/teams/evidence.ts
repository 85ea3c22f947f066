import { graphDescription } from "../../emulator-kit/index.ts";
import type { Evidence } from "../../provider-kit/index.ts";

const NULL_OBJECTS = "the description does not say that objects may be null, as they are in the examples of";
const TEAMS = "https://learn.microsoft.com/en-us/graph/api/user-list-joinedteams";
const MESSAGES = "https://learn.microsoft.com/en-us/graph/api/channel-list-messages";

export default {
  descriptions: [
    graphDescription([
      {
        violation: "@odata.count is not described",
        reason: `it is in the examples of ${TEAMS}`,
      },
      { violation: "/messages reply *from* must be object", reason: `${NULL_OBJECTS} ${MESSAGES}` },
      {
        violation: "query $skiptoken is not described",
        reason: "part of the link to the next page: https://learn.microsoft.com/en-us/graph/paging",
      },
    ]),
  ],
  others: [
    {
      source: "@microsoft/microsoft-graph-types",
      what: "types of the answers read, of the bodies sent and of the emulator's data",
    },
    { source: "answers of /me in public repositories", what: "recorded answers, read by hand: the account" },
  ],
} satisfies Evidence;
