import { roleScopes, type Scope } from "../../contracts/access.ts";

/** What each scope allows, in a few words. A scope that no route needs is not offered. */
export const scopeGroups: readonly (readonly [title: string, scopes: readonly (readonly [Scope, string])[]])[] = [
  [
    "The providers' data",
    [
      ["unified:read", "read records"],
      ["unified:write", "also create, change and send"],
      ["proxy", "any call to a provider's own API"],
      ["mcp", "tools over MCP, also those that write"],
    ],
  ],
  [
    "Connections",
    [
      ["connections:read", "see them"],
      ["connections:write", "also connect, change and delete"],
    ],
  ],
  [
    "Events",
    [
      ["events:read", "see events, webhooks and subscriptions"],
      ["events:write", "also create, change and delete; secrets of webhooks"],
    ],
  ],
  [
    "Integrations",
    [
      ["integrations:read", "see them, without secrets"],
      ["integrations:write", "also create, change and delete"],
      ["providers:read", "see the catalogue"],
      ["providers:write", "also create, change and delete your own providers"],
    ],
  ],
  [
    "Workspace",
    [
      ["workspace:read", "see its settings"],
      ["workspace:write", "also change them"],
      ["logs:read", "see the request log and usage"],
      ["keys:read", "see which API keys and tool packs there are"],
      ["keys:write", "also create, change and delete them"],
    ],
  ],
];

export interface KeyPreset {
  id: string;
  title: string;
  text: string;
  scopes: Scope[];
}

/** The usual jobs of a key, each with what it takes and no more. */
export const keyPresets: readonly KeyPreset[] = [
  {
    id: "application",
    title: "Application server",
    text: "Connects accounts, calls the providers and gets events. It cannot change integrations, settings or keys, nor read the request log.",
    scopes: [
      "unified:write",
      // What Unified does not have, applications call with the Proxy, over the same connections.
      "proxy",
      "connections:write",
      "events:write",
      // To show what can be connected.
      "integrations:read",
      "providers:read",
      // It has the client ID that a link to connect an account needs.
      "workspace:read",
    ],
  },
  {
    id: "agent",
    title: "Agent",
    text: "Finds connections and uses their tools over MCP, also those that write. Best limited to one user.",
    scopes: ["mcp", "unified:read", "connections:read"],
  },
  {
    id: "read",
    title: "Read only",
    text: "Sees everything but secrets, and records at the providers. It can sign in to the dashboard as a viewer.",
    scopes: [...roleScopes.viewer, "unified:read"],
  },
  {
    id: "everything",
    title: "Everything",
    text: "Also integrations, settings and other keys. For setting up a workspace, not for an application.",
    scopes: ["*"],
  },
];

/** The preset that has exactly these scopes. */
export const presetOf = (scopes: readonly string[]): KeyPreset | undefined =>
  keyPresets.find((preset) => new Set(scopes).symmetricDifference(new Set<string>(preset.scopes)).size === 0);
