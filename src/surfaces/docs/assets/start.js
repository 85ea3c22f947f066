/** What is missing for keyboards and screen readers in the markup of the package, added as it appears. */
const additions = [
  // An icon without a name.
  ["button.scalar-code-copy:not([aria-label])", (button) => button.setAttribute("aria-label", "Copy the example")],
  // A name without the text that is shown.
  ["button.show-more[aria-label]", (button) => button.removeAttribute("aria-label")],
  ["ul.endpoints:not([tabindex])", (list) => list.setAttribute("tabindex", "0")],
  // Landmarks that all have the same name.
  ['.response-card[role="region"]', (card) => card.setAttribute("role", "group")],
];
new MutationObserver(() => {
  for (const [selector, add] of additions) for (const element of document.querySelectorAll(selector)) add(element);
}).observe(document.body, { childList: true, subtree: true });

globalThis.Scalar.createApiReference("#app", {
  sources: [
    { title: "Unified API", slug: "unified", url: "/unified/openapi.json", default: true },
    { title: "Platform API", slug: "platform", url: "/platform/openapi.json" },
    { title: "Auth API", slug: "auth", url: "/auth/openapi.json" },
  ],
  // Features that would call another host.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
});
