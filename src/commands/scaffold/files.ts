// The files of a new provider, for a made-up API whose records have the fields that ours have.
import { addedToWrites } from "../../categories/schema.ts";
import { fieldType, madeUpValue, mappedField } from "./fields.ts";
import type { Language } from "./language.ts";
import type { Plan } from "./plan.ts";

export interface ScaffoldOptions {
  id: string;
  name: string;
  plan: Plan;
  language: Language;
  /** What the files import the kit from, and the emulator the other one. */
  kit: { provider: string; sandbox: string };
}

const pascal = (text: string) => text.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
const lines = (all: string[]) => all.map((line) => `  ${line}\n`).join("");

/** The texts of the files, by their paths in the folder. */
export function scaffoldFiles(options: ScaffoldOptions): Record<string, string> {
  const { language, plan } = options;
  const named = (name: string) => `${name}.${language.ending}`;
  return {
    [named("manifest")]: manifest(options),
    [named("identity")]: identity(options),
    [named("records")]: records(options),
    [named(plan.category.id)]: implementation(options),
    ...(plan.write && { [named("writes")]: writes(options) }),
    [named("sandbox/index")]: sandbox(options),
    [named("evidence")]: evidence(options),
  };
}

/** What the files of one provider agree on. */
function namesOf({ id, plan, language }: ScaffoldOptions) {
  const { title, properties } = plan.record;
  return {
    recordType: title,
    itemType: pascal(id) + title,
    pageType: `${pascal(id)}Page`,
    mapper: `to${title}`,
    /** Both the path of the list and the name of its items in the body: `/tickets` and `tickets`. */
    items: plan.list.path.split("/").at(-1)!,
    fields: Object.entries(properties),
    file: (name: string) => `./${name}.${language.ending}`,
    /** The fields that the write sends. The provider has nothing for the others. */
    sent: Object.keys(plan.write?.sample ?? {}),
    unsent: Object.keys(plan.write?.body?.properties ?? {}).filter(
      (field) => !(field in (plan.write!.sample ?? {})) && !addedToWrites.includes(field),
    ),
  };
}

const manifest = ({ id, name, language, kit }: ScaffoldOptions) =>
  `${language.imports({ [kit.provider]: { names: ["get"], types: ["Manifest"] } })}
${language.checked(
  `{
  id: ${JSON.stringify(id)},
  name: ${JSON.stringify(name)},
  docs: "https://developers.example.com",
  addresses: { api: "https://api.example.com" },
  auth: { api_key: { label: "API key", help: "https://example.com/settings/keys" } },
  // A call that succeeds only with valid credentials.
  check: get("/me"),
}`,
  "Manifest",
)}`;

const identity = ({ id, language, kit }: ScaffoldOptions) =>
  `${language.imports({ [kit.provider]: { names: ["get", "identity", "implement", "one"] } })}
// Only the fields that are read.
${language.shape(`${pascal(id)}User`, { id: "string", name: "string | null", email: "string | null" }).replace("export ", "")}
export default implement(identity, {
  getMe: one({
    request: () => get("/me"),
    record: (${language.parameter("{ id, name, email }", `${pascal(id)}User`)}) => ({ id, name, email, avatar_url: null }),
  }),
});
`;

function records(options: ScaffoldOptions): string {
  const { language, kit } = options;
  const { recordType, itemType, mapper, fields } = namesOf(options);
  const mapped = fields.map(([name, schema]) => `${name}: ${mappedField(name, schema)},`);
  const helpers = ["firstTime", "isoTime"].filter((helper) => mapped.some((line) => line.includes(` ${helper}(`)));
  return `${language.imports({ [kit.provider]: { names: helpers, types: [recordType] } })}
// Only the fields that are read, named and typed as the provider sends them.
${language.shape(itemType, Object.fromEntries(fields.map(([name, schema]) => [name, fieldType(schema)])))}
${language.mapper(mapper, "item", itemType, recordType, `{\n${lines(mapped)}}`)}`;
}

function implementation(options: ScaffoldOptions): string {
  const { plan, language, kit } = options;
  const { category, list, one, write, chosenBy } = plan;
  const { itemType, pageType, mapper, items, file } = namesOf(options);
  const chosen = Object.keys(chosenBy);
  const filters = chosen.filter((name) => list.filters?.[name]);
  const input = chosen.length > 0 ? `input: { ${chosen.join(", ")} }, ` : "";
  const locked = chosen.length > 0 ? `, ...defined({ ${chosen.join(", ")} })` : "";
  const [parameter] = one?.parameters ?? [];
  const imports = language.imports({
    [kit.provider]: {
      names: [
        ...["get", "implement", "list", category.id],
        ...(one ? ["one", "path"] : []),
        ...(chosen.length > 0 ? ["defined"] : []),
      ],
      types: ["Answer"],
    },
    [file("records")]: { names: [mapper], types: [itemType] },
    ...(write && { [file("writes")]: { names: ["writes"] } }),
  });
  return `${imports}
${language.shape(pageType, { [items]: `${itemType}[]`, next_cursor: "string | null" }).replace("export ", "")}
// An operation that is not named here is not supported: clients get 404/7002 for it. Writes are in writes.${language.ending}.
export default implement(${category.id}, {
  ${list.name}: list({
    maxPageSize: 100,
${filters.length > 0 ? `    // Only the provider can filter by it. By everything else, the engine filters the records.\n    filters: ${JSON.stringify(filters)},\n` : ""}    items: (${language.parameter("body", pageType)}) => body.${items},
    next: (${language.parameter("{ body }", `Answer<${pageType}>`)}) => body.next_cursor,
    request: ({ ${input}limit, cursor }) =>${input ? "\n     " : ""} get("/${items}", {}, { limit, cursor${locked} }),
    record: ${mapper},
  }),
${one ? `  ${one.name}: one({ request: ({ input }) => get(path\`/${items}/\${input.${parameter!.name}}\`), record: ${mapper} }),\n` : ""}${write ? "  ...writes,\n" : ""}});
`;
}

function writes(options: ScaffoldOptions): string {
  const { plan, language, kit } = options;
  const { category, write } = plan as Plan & { write: NonNullable<Plan["write"]> };
  const { mapper, items, file, sent, unsent } = namesOf(options);
  const isSend = write.kind === "send";
  const given = [...write.parameters.map(({ name }) => name), ...sent];
  const request = isSend
    ? `post(path\`/${items}/\${${given[0]}}/messages\`, { ${sent.join(", ")} })`
    : `post("/${items}", { ${sent.join(", ")} })`;
  const value = `{
  ${write.name}: ${isSend ? "{" : "one({"}
    request({ input }) {
      refuseFields(input, UNSUPPORTED, manifest);
      const { ${given.join(", ")} } = input;
      return ${request};
    },
${isSend ? "  }," : `    record: ${mapper},\n  }),`}
}`;
  const imports = language.imports({
    [kit.provider]: {
      names: ["post", "refuseFields", isSend ? "path" : "one"],
      types: ["CategoryImplementation", category.id],
    },
    [file("manifest")]: { all: "manifest" },
    ...(isSend ? {} : { [file("records")]: { names: [mapper] } }),
  });
  return `${imports}
/** What the provider has nothing for is refused by name, never ignored. */
const UNSUPPORTED = ${JSON.stringify(unsent).replaceAll(",", ", ")};

${language.constant("writes", `CategoryImplementation<typeof ${category.id}.operations>`, value)}`;
}

function sandbox(options: ScaffoldOptions): string {
  const { plan, language, kit } = options;
  const { list, one, write, record, chosenBy } = plan;
  const { items, fields, sent } = namesOf(options);
  const isSend = write?.kind === "send";
  const creates = write && !isSend;
  const titleField = ["title", "subject", "name"].find((field) => field in record.properties)!;
  const hasTimes = "updated_at" in record.properties;
  const made = fields.map(([name, schema]) => `  ${name}: ${language.expression(madeUpValue(name, schema, items))},`);
  const newId = language
    .expression(madeUpValue("id", record.properties.id!, items))
    .replace("index + 1", "10_000 + nth");
  const title = titleField === "title" ? "title" : `${titleField}: title`;
  const stamps = (time: string) => (hasTimes ? [`created_at: ${time}`, `updated_at: ${time}`] : []);
  const objects = sent.filter((name) => record.properties[name]?.properties);
  const createBody = `
  create(request, all) {
    // The provider's own refusal of what it requires.
    checkFields({ ${sent[0]}: isText(request.body?.${sent[0]}) }, () => failure(400));
    const { nth${hasTimes ? ", at" : ""} } = nextWrite(all);
    const copied = item(0);
    return {
      ...copied,
      ...sentFields(request.body, ${JSON.stringify(sent).replaceAll(",", ", ")}),
${objects.map((name) => `      ${name}: { ...copied.${name}, ...request.body.${name} },\n`).join("")}      id: ${newId.replace("10_000", "20_000")},
${stamps("at.toISOString()")
  .map((line) => `      ${line},\n`)
  .join("")}    };
  },`;
  const selectBody = Object.entries(chosenBy).map(
    ([parameter, { field, known }]) => `
  select(all, { query }) {
    const chosen = query.get("${parameter}");
    if (chosen === null) return all;
    if (!all.some((one) => one.${known} === chosen)) refuse(failure(404));
    return all.filter((one) => one.${field} === chosen);
  },`,
  );
  const values = made.join("\n");
  const names = [
    ...["awkwardTexts", "changeableList", "collection", "cut", "emulate", "reply", "times", "wholeNumber"],
    ...(values.includes("hour(") ? ["hour"] : []),
    ...(creates ? ["checkFields", "isText", "nextWrite", "sentFields"] : []),
    ...(isSend ? ["nextWrite"] : []),
    ...(selectBody.length > 0 ? ["refuse"] : []),
  ];
  const parameters = (...all: (string | false)[]) => `{ ${all.filter(Boolean).join(", ")} }`;
  return `${language.imports({ [kit.sandbox]: { names } })}
function item(${language.parameter("index", "number")}) {
  ${language.variable("text", "string", language.expression("awkwardTexts[index % awkwardTexts.length]!"))}
  return {
${lines(made)}  };
}
${language.ending === "ts" ? "type Item = ReturnType<typeof item>;" : "/** @typedef {ReturnType<typeof item>} Item */"}

const failure = (${language.parameter("status", "number")}) => reply(status, { error: \`status \${status}\` });

const ${items} = collection({
  items: (${language.parameter("all", "Item[]")}) => all,
  notFound: () => failure(404),${selectBody.join("")}
  page(found, { query }) {
    const size = wholeNumber(query.get("limit"), { fallback: 20, max: 100 }, () => failure(400));
    const page = cut(found, Number(query.get("cursor") ?? 0), size);
    return reply(200, { ${items}: page.items, next_cursor: page.next === undefined ? null : String(page.next) });
  },${creates ? createBody : ""}
});

export default emulate({
  // More than 250 records, so that a walk has several pages.
  state: () => times(260, item),
  changes: {
    "${list.id}": changeableList({
      items: (${language.parameter("all", "Item[]")}) => all,
      id: ({ id }) => id,
      update: (${parameters("title", hasTimes && "time")}) => ({ ${title}${hasTimes ? ", updated_at: time" : ""} }),
      create: (${parameters("nth", hasTimes && "time")}) => ({ id: ${newId}${hasTimes ? ", created_at: time" : ""} }),
    }),
  },
  failure,
  routes: {
    "GET /me": () => reply(200, { id: "1", name: "Sandra Berg", email: "sandra@example.com" }),
    "GET /${items}": ${items}.list,
${one ? `    "GET /${items}/:id": ${items}.get,\n` : ""}${creates ? `    "POST /${items}": ${items}.create,\n` : ""}${
  isSend
    ? `    "POST /${items}/:id/messages": ${items}.below((_, { body }, all) =>
      reply(201, { id: String(nextWrite(all).nth), text: body.text }),
    ),\n`
    : ""
}  },
});
`;
}

const evidence = ({ language, kit }: ScaffoldOptions) =>
  `${language.imports({ [kit.provider]: { types: ["Evidence"] } })}
// What the requests and the emulator are verified against: an official API description, an SDK, recorded responses.
${language.checked("{ descriptions: [] }", "Evidence")}`.trimStart();
