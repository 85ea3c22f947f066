import {
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedTool,
  emulate,
  reply,
} from "../../../emulator-kit/index.ts";

interface Note {
  id: number;
  text: string;
}

/** A tool of an emulated server is a call of its API, which a real MCP server need not have. */
const tools: Record<string, EmulatedTool> = {
  list_notes: {
    description: "List all notes",
    input: {},
    request: () => ({ path: "/notes" }),
  },
  add_note: {
    description: "Add a note",
    input: { text: { type: "string" } },
    request: ({ text }) => ({ method: "POST", path: "/notes", body: { text } }),
  },
};

const serverUrl = ({ origin }: EmulatedRequest) => `${origin}/mcp`;

/** RFC 9728 */
const resourceMetadata = (request: EmulatedRequest): EmulatedReply =>
  reply(200, {
    resource: serverUrl(request),
    authorization_servers: [request.origin],
    scopes_supported: ["notes:read", "notes:write"],
    bearer_methods_supported: ["header"],
  });

/** RFC 8414. The sandbox is below a path, so that it is where OpenID Connect has it. */
const serverMetadata = ({ origin }: EmulatedRequest): EmulatedReply =>
  reply(200, {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    revocation_endpoint: `${origin}/revoke`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["client_secret_post"],
  });

/** RFC 7591. Every client is accepted at the token endpoint, so that none has to be remembered. */
function register({ body }: EmulatedRequest): EmulatedReply {
  if (!Array.isArray(body?.redirect_uris) || body.redirect_uris.length === 0)
    return reply(400, { error: "invalid_redirect_uri", error_description: "redirect_uris is missing." });
  return reply(201, {
    ...body,
    client_id: `client-${crypto.randomUUID()}`,
    client_secret: `secret-${crypto.randomUUID()}`,
    client_secret_expires_at: 0,
    token_endpoint_auth_method: "client_secret_post",
  });
}

export default emulate<{ notes: Note[] }>({
  state: () => ({
    notes: [
      { id: 1, text: "Water the plants" },
      { id: 2, text: "Call Ada about the engine" },
    ],
  }),
  failure: (status) => reply(status, { error: status === 401 ? "invalid_token" : `status_${status}` }),
  open: ["GET /.well-known/oauth-protected-resource", "GET /.well-known/openid-configuration", "POST /register"],
  routes: {
    "GET /.well-known/oauth-protected-resource": resourceMetadata,
    "GET /.well-known/openid-configuration": serverMetadata,
    "POST /register": register,
    "GET /notes": (_, { notes }) => reply(200, { notes }),
    "POST /notes": ({ body }, { notes }) => {
      if (typeof body?.text !== "string") return reply(400, { error: "text is missing" });
      const note = { id: notes.length + 1, text: body.text };
      notes.push(note);
      return reply(201, note);
    },
  },
  mcp: tools,
  // RFC 8707: a token is for this server, so a code is exchanged only for it.
  tokenAnswer(standard, request) {
    const { grant_type, resource } = request.body;
    if (resource !== serverUrl(request) && (grant_type === "authorization_code" || resource !== undefined))
      return reply(400, { error: "invalid_target", error_description: "The resource is missing or unknown." });
    return reply(200, standard, { "cache-control": "no-store" });
  },
});
