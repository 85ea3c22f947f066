import { get, type Manifest } from "plugboard/provider-kit";

export default {
  id: "field-notes",
  name: "Field Notes",
  docs: "https://docs.field-notes.example",
  addresses: { api: "https://{subdomain}.field-notes.example/api/v2" },
  settings: {
    subdomain: { label: "Subdomain", hint: "The first part of your address", pattern: "[a-z0-9-]{1,63}" },
  },
  auth: { api_key: { label: "Personal key", help: "https://field-notes.example/keys" } },
  authorization: ({ token = "" }) => ({ headers: { "x-notes-key": token } }),
  check: get("/self"),
} satisfies Manifest;
