import type { Evidence } from "../../provider-kit/index.ts";

export default {
  // Help Scout publishes no machine-readable description of its API.
  descriptions: [],
  others: [
    {
      source: "Help Scout's reference, https://developer.helpscout.com/mailbox-api/",
      what: "read by hand: addresses, paging, requests, fields of the answers, custom fields of inboxes and conversations, and errors. Nothing is checked in CI.",
    },
    {
      source: "Help Scout's page on webhooks, https://developer.helpscout.com/webhooks/",
      what: "read by hand: events, headers and signature",
    },
    {
      source: "helpscout/helpscout-api-php, Help Scout's own client",
      what: "read by hand: the answers in its tests (conversations, threads, customers, users, webhooks, errors) have the fields that are read here",
    },
  ],
} satisfies Evidence;
