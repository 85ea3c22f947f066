/** Scenarios, and single checks of scenarios, about what Unified MCP does not have, by the reason. */
const both = {
  "there are tools only": [
    "completion-complete",
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
  ],
  "a call is answered at once, without messages in between": ["tools-call-with-progress"],
};

const byEra: Record<string, Record<string, string[]>> = {
  "2025-11-25": {
    "there are tools only": ["resources-subscribe", "resources-unsubscribe", "logging-set-level"],
    "responses are no event streams": ["server-sse-polling", "server-sse-multiple-streams"],
    "without sessions, the client cannot be asked": [
      "tools-call-with-logging",
      "tools-call-sampling",
      "tools-call-elicitation",
      "elicitation-sep1034-defaults",
      "elicitation-sep1330-enums",
    ],
  },
  "2026-07-28": {
    "there are tools only": [
      "sep-2164-resource-not-found",
      "caching:sep-2549-prompts-list-caching-hints",
      "caching:sep-2549-resources-list-caching-hints",
      "caching:sep-2549-resources-templates-list-caching-hints",
    ],
    "no argument is also a header": ["http-custom-header-server-validation"],
    "the only question is to open an address, and needs no state": [
      "input-required-result-missing-input-response",
      "input-required-result-ignore-extra-params",
      "input-required-result-basic-elicitation",
      "input-required-result-basic-sampling",
      "input-required-result-basic-list-roots",
      "input-required-result-request-state",
      "input-required-result-multiple-input-requests",
      "input-required-result-multi-round",
      "input-required-result-non-tool-request",
      "input-required-result-result-type",
      "input-required-result-tampered-state",
      "input-required-result-capability-check",
      "server-stateless:sep-2575-server-rejects-undeclared-capability",
      "server-stateless:sep-2575-missing-capability-http-400",
      "server-stateless:sep-2575-http-server-no-independent-requests-on-stream",
    ],
    "nothing is announced or logged to clients": [
      "server-stateless:sep-2575-server-no-log-without-loglevel",
      "server-stateless:sep-2575-server-sends-subscription-ack",
      "server-stateless:sep-2575-server-tags-subscription-id",
    ],
  },
};

/** The tools that these call are those of the fixture. */
export const FIXTURE_ONLY = [
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "json-schema-2020-12",
];

/** Origins are checked before the handler. */
export const ENDPOINT_ONLY = ["dns-rebinding-protection"];

export const notApplicable = (era: string): string[] =>
  [both, byEra[era]!].flatMap((reasons) => Object.values(reasons).flat());
