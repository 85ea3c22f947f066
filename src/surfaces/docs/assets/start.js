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
