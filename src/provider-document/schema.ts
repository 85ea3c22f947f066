import Type, { type Static, type TSchema } from "typebox";
import { OneOf } from "../categories/schema.ts";

// A provider by one JSON document: the format of `POST /platform/v1/providers` and of the files in `src/catalogue`.

const MAX_NAMES = 50;

const Line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: "^[^\\u0000-\\u001f\\u007f]+$", description });
const Address = (description: string) => Type.String({ maxLength: 500, pattern: "^https?://", description });
const closed = { additionalProperties: false } as const;
const Named = <T extends TSchema>(pattern: string, values: T, description: string) =>
  Type.Unsafe<Record<string, Static<T>>>({
    type: "object",
    propertyNames: { pattern: `^(?:${pattern})$`, maxLength: 100 },
    additionalProperties: values,
    maxProperties: MAX_NAMES,
    description,
  });

const SETTING = "[a-z][a-z0-9_]{0,39}";
const HEADER = "[A-Za-z][A-Za-z0-9-]*";
const PARAMETER = "[A-Za-z][\\w.-]*";
const Pointer = (description: string) =>
  Type.String({ maxLength: 200, pattern: "^(/[^/]+)+$", description: `${description}: a JSON Pointer` });
const Path = (description: string) => Type.String({ maxLength: 500, pattern: "^/", description });
const Parameters = (description: string) =>
  Named(PARAMETER, Type.String({ maxLength: 500 }), `${description}; \`{name}\` stands for a setting`);
const ScopeList = Type.Array(Line(200, "a scope"), {
  maxItems: 100,
  description: "Requested unless the integration has its own",
});
const Label = (description: string) => Line(100, description);
const Help = Type.Optional(Address("The page where users find or create it"));

/** Where a token or a key goes in each request. */
const Sent = Type.Object(
  {
    in: OneOf(["header", "query"]),
    name: Line(100, "the header's or parameter's name"),
    prefix: Type.Optional(Type.String({ maxLength: 50, description: "what precedes it, such as `Token `" })),
  },
  { ...closed, description: "How the token is sent. Default: `Authorization: Bearer <token>`" },
);
const sent = { send: Type.Optional(Sent) };
const TokenAuth = Type.Optional(
  OneOf(["basic", "body"], "Where the client's credentials go in a token request. Default: body"),
);
const TokenBody = Type.Optional(OneOf(["form", "json"], "How a token request is encoded. Default: form"));

export const SettingDocument = Type.Object(
  {
    label: Label("what users call it"),
    hint: Type.Optional(Line(300, "where users find it")),
    placeholder: Type.Optional(Line(100, "an example")),
    pattern: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "a regular expression for the whole value" }),
    ),
    choices: Type.Optional(Type.Array(Line(100, "a possible value"), { minItems: 1, maxItems: 50, uniqueItems: true })),
    set_by: Type.Optional(OneOf(["user", "integration"], "Who gives the value. Default: user")),
    optional: Type.Optional(
      Type.Boolean({ description: "headers and parameters with it are left out without a value" }),
    ),
  },
  { ...closed, description: "Either `pattern` or `choices`" },
);

const auth = {
  oauth2: Type.Object(
    {
      scopes: Type.Optional(ScopeList),
      scope_delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 3, description: "Default: a space" })),
      pkce: Type.Optional(Type.Boolean({ description: "Default: true" })),
      token_auth: TokenAuth,
      token_body: TokenBody,
      authorize_params: Type.Optional(Parameters("Further parameters of the authorize address")),
      token_params: Type.Optional(Parameters("Further parameters of token requests")),
      lifetime: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 100_000_000,
          description: "of an access token in seconds, if token responses do not say",
        }),
      ),
      rotates: Type.Optional(
        Type.Boolean({ description: "whether a refresh returns a new refresh token and ends the old one" }),
      ),
      redirect_settings: Type.Optional(
        Named(SETTING, Line(100, "a parameter"), "Settings that are parameters of the redirect after consent"),
      ),
      token_settings: Type.Optional(Named(SETTING, Pointer("where it is"), "Settings that are in the token response")),
      help: Type.Optional(Address("The page where an OAuth application is created")),
      ...sent,
    },
    closed,
  ),
  api_key: Type.Object(
    {
      in: OneOf(["header", "query", "path"]),
      name: Type.Optional(Line(100, "of the header or parameter; not used in a path")),
      prefix: Type.Optional(
        Type.String({
          maxLength: 50,
          description: "what precedes the key, such as `Bearer `; in a path, such as `bot`",
        }),
      ),
      label: Label("what the provider calls the key"),
      help: Help,
    },
    closed,
  ),
  basic: Type.Object(
    {
      username: Label("what the user name is"),
      password: Type.Optional(Label("what the password is; without it, it is empty")),
      help: Help,
    },
    closed,
  ),
  client_credentials: Type.Object(
    {
      scopes: Type.Optional(ScopeList),
      scope_delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 3 })),
      audience: Type.Optional(Line(500, "the `audience` of token requests")),
      token_auth: TokenAuth,
      token_body: TokenBody,
      token_params: Type.Optional(Parameters("Further parameters of token requests")),
      lifetime: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
      username: Type.Optional(Label("what users call the client ID. Default: Client ID")),
      password: Type.Optional(Label("what users call the client secret. Default: Client secret")),
      help: Help,
      ...sent,
    },
    closed,
  ),
  two_step: Type.Object(
    {
      request: Type.Object(
        {
          method: OneOf(["POST", "PUT", "GET"]),
          path: Type.Optional(Path("below the token address, or below the API's if there is none")),
          body: Type.Optional(
            Type.Unsafe<Record<string, unknown>>({
              type: "object",
              description: "`{username}`, `{password}`, `{token}` and settings in texts",
            }),
          ),
          encoding: TokenBody,
        },
        closed,
      ),
      token: Pointer("where the token is in the response"),
      expires_in: Type.Optional(Pointer("where its lifetime in seconds is")),
      lifetime: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100_000_000, description: "in seconds, if the response does not say" }),
      ),
      username: Type.Optional(Label("what `{username}` is")),
      password: Type.Optional(Label("what `{password}` is")),
      key: Type.Optional(Label("what `{token}` is")),
      help: Help,
      ...sent,
    },
    closed,
  ),
  jwt: Type.Object(
    {
      algorithm: OneOf(["RS256", "ES256", "HS256"]),
      claims: Named(
        "[A-Za-z_]\\w*",
        Type.String({ maxLength: 500 }),
        "Besides `iat` and `exp`; `{name}` stands for a setting",
      ),
      header: Type.Optional(
        Named("[a-z]\\w*", Type.String({ maxLength: 500 }), "Besides `alg` and `typ`, such as `kid`"),
      ),
      lifetime: Type.Integer({ minimum: 120, maximum: 86_400, description: "in seconds" }),
      exchange: Type.Optional(
        Type.Object(
          { params: Type.Optional(Parameters("Further parameters of the token request")) },
          {
            ...closed,
            description: "The JWT is exchanged for a token at the token address (RFC 7523), not sent itself",
          },
        ),
      ),
      secret_encoding: Type.Optional(OneOf(["utf8", "hex", "base64"], "Of a secret for HS256. Default: utf8")),
      label: Label("what the provider calls the private key or secret"),
      help: Help,
      ...sent,
    },
    closed,
  ),
  none: Type.Object({}, closed),
};

export const ProviderDocument = Type.Object(
  {
    id: Type.String({ pattern: "^[a-z][a-z0-9]*(-[a-z0-9]+)*$", maxLength: 50 }),
    name: Line(100, "what people call it"),
    docs_url: Address("The provider's API reference"),
    categories: Type.Optional(
      Type.Array(Type.String({ pattern: "^[a-z][a-z-]*$", maxLength: 40 }), {
        maxItems: 5,
        description: "What it is about, such as `crm`",
      }),
    ),
    notes: Type.Optional(
      Type.Array(Line(1_000, "Markdown"), { maxItems: 20, description: "What somebody should know who sets it up" }),
    ),
    sources: Type.Optional(
      Type.Array(Line(300, "a page or a project"), { maxItems: 10, description: "Who else has these addresses" }),
    ),
    addresses: Type.Object(
      {
        api: Address("What paths are appended to; `{name}` stands for a setting"),
        authorize: Type.Optional(Address("Where users agree, with oauth2")),
        token: Type.Optional(Address("Where tokens are requested")),
        refresh: Type.Optional(Address("Where they are refreshed, if elsewhere")),
        revoke: Type.Optional(Address("Where they are revoked (RFC 7009)")),
        mcp: Type.Optional(Address("An MCP server that accepts the credentials")),
      },
      closed,
    ),
    settings: Type.Optional(
      Named(SETTING, SettingDocument, "Per-account values that are part of addresses, headers and requests"),
    ),
    auth: Type.Object(
      Object.fromEntries(Object.entries(auth).map(([kind, schema]) => [kind, Type.Optional(schema)])) as {
        [Kind in keyof typeof auth]: ReturnType<typeof Type.Optional<(typeof auth)[Kind]>>;
      },
      { ...closed, minProperties: 1, description: "One entry for each way to authenticate" },
    ),
    headers: Type.Optional(
      Named(HEADER, Type.String({ maxLength: 500 }), "Sent with each request; `{name}` stands for a setting"),
    ),
    check: Type.Optional(Type.Object({ get: Path("succeeds if and only if the credentials are valid") }, closed)),
    discover: Type.Optional(
      Type.Object(
        {
          get: Type.String({
            maxLength: 500,
            pattern: "^(/|https?://)",
            description: "A path below the API's address, or an address on the host of one of the others",
          }),
          take: Named(SETTING, Pointer("where it is"), "Settings that the response has"),
        },
        closed,
      ),
    ),
    retry_header: Type.Optional(
      Line(100, "A header with the seconds to wait or the time to wait for, if it is not `Retry-After`"),
    ),
  },
  { ...closed, title: "ProviderDocument" },
);
export type ProviderDocument = Static<typeof ProviderDocument>;
