import type { Engine } from "../../../engine/index.ts";
import {
  CONNECT_ACCOUNT,
  defineConnectAccount,
  describeAccounts,
  listAccountsTool,
  type OfferedTool,
} from "./account-tools.ts";
import type { Account, Accounts, Connectable } from "./accounts.ts";
import { CALL_API, callApi, defineCallApi } from "./call-api.ts";
import type { LinkTarget } from "./connect-link.ts";
import {
  type RunTool,
  runOperation,
  type ToolCallContext,
  type ToolOutcome,
  toErrorResult,
  toResult,
} from "./run-tool.ts";
import { callToolTool, MAX_LISTED_TOOLS, searchTools, searchToolsTool } from "./search-tools.ts";
import type { ToolCall, ToolReply, ToolSet } from "./server.ts";
import { defineTools, LIST_ACCOUNTS } from "./tools.ts";

export interface AccountToolsOptions {
  engine: Engine;
  accounts: Accounts;
  offered: readonly OfferedTool[];
  /** Whether all tools are listed, however many they are. */
  listsAll: boolean;
  /** Undefined if the provider's own API must not be called. */
  direct: { mayWrite: boolean } | undefined;
  run: RunTool;
  contextFor(account: Account): ToolCallContext;
  /** Makes a link; undefined if the caller must not connect accounts. */
  link: ((target: LinkTarget) => Promise<string>) | undefined;
  /** Whose new accounts can be connected here; undefined if none can. */
  newAccountsOf: string | undefined;
  /** What the person has to do about an account that cannot be connected here. */
  howToConnect: string;
  headerPrefix: string;
}

const INSTRUCTIONS = `Tools for the user's accounts at several services. Call ${LIST_ACCOUNTS} first: it says which accounts \
there are and what each can do. Every other tool takes \`account\`. Records have the same format for every service. Lists \
are paginated: to get the next page, pass \`metadata.next\` as \`after\`. Get ids for arguments from the tools that list them.`;

const SEARCH = " There are many tools: find one with search_tools, and call it with call_tool.";

/** One set of tools over all of a person's accounts. */
export function createAccountTools(options: AccountToolsOptions): ToolSet {
  const { engine, accounts, offered, listsAll, direct, run, contextFor, link, newAccountsOf, headerPrefix } = options;
  const { howToConnect } = options;
  const { connected, connectable } = accounts;
  const searched = !listsAll && offered.length >= MAX_LISTED_TOOLS;
  /** The accounts for `call_api`. What only reads must not be able to write. */
  const callable = connected
    .filter(({ connection }) => connection && (direct?.mayWrite || !connection.provider.manifest.getMayWrite))
    .map(({ name }) => name);
  const names = [...connected, ...connectable].map(({ name }) => name);
  const ownPrefix = headerPrefix.toLowerCase();

  /** Asks the person to connect an account, as far as the client and the caller allow. */
  async function askToConnect(
    name: string,
    target: LinkTarget | undefined,
    { answer }: ToolCall,
    failed?: ToolOutcome,
  ): Promise<ToolReply> {
    if (answer === "decline" || answer === "cancel")
      return toErrorResult(`The user did not connect ${name}. Do not ask again unless they want to.`);
    if (link && target) return { connect: { url: await link(target), message: `Connect ${name} to go on.` } };
    return failed?.result ?? toErrorResult(`${name} is not connected: ${howToConnect}.`);
  }

  const connect = ({ name, integration }: Connectable, call: ToolCall) => {
    const externalId = newAccountsOf;
    return askToConnect(
      name,
      externalId === undefined ? undefined : { externalId, integrationId: integration.id },
      call,
    );
  };

  async function onAccount(
    call: ToolCall,
    work: (context: ToolCallContext) => Parameters<RunTool>[2],
    label: string,
  ): Promise<ToolReply> {
    const { account: name } = call.args;
    const account = connected.find((one) => one.name === name);
    const missing = connectable.find((one) => one.name === name);
    if (missing) return connect(missing, call);
    if (!account)
      return toErrorResult(
        name === undefined
          ? `\`account\` is required: one of ${names.join(", ")}.`
          : `There is no account ${String(name)}. The accounts are ${names.join(", ")}.`,
      );
    const context = contextFor(account);
    const outcome = await run(context, label, work(context));
    return outcome.mustReconnect
      ? askToConnect(account.name, { connection: account.record }, call, outcome)
      : outcome.result;
  }

  function callOperation(call: ToolCall): Promise<ToolReply> | undefined {
    const found = offered.find(({ tool }) => tool.name === call.name);
    if (!found) return undefined;
    const { account, ...args } = call.args;
    const { tool, users } = found;
    const known = connected.some(({ name }) => name === account);
    if (known && !users.some((user) => user.account === account))
      return Promise.resolve(
        toErrorResult(
          `${String(account)} cannot do this. ${tool.name} works with ${users.map((user) => user.account).join(", ")}.`,
        ),
      );
    const input = { args, meta: call.meta, connectionHeader: `${ownPrefix}connection-id` };
    return onAccount(call, (context) => runOperation(engine, context, tool, input), tool.operation.id);
  }

  function callDirectly(call: ToolCall, { mayWrite }: { mayWrite: boolean }): Promise<ToolReply> {
    const { account, ...args } = call.args;
    const isKnown = connected.some(({ name, connection }) => connection && name === account);
    if (isKnown && !callable.includes(String(account)))
      return Promise.resolve(
        toErrorResult(
          `${String(account)} cannot be called here, because its API may also write with GET. Use other tools.`,
        ),
      );
    return onAccount(call, (context) => callApi(engine, context, args, { mayWrite, ownPrefix }), CALL_API);
  }

  async function connectAccount(call: ToolCall): Promise<ToolReply> {
    const { account: name } = call.args;
    const missing = connectable.find((one) => one.name === name);
    if (missing) return connect(missing, call);
    return connected.some(({ record }) => record.integration_identifier === name)
      ? toResult({ connected: name })
      : toErrorResult(`There is no service ${String(name)}. The services are ${names.join(", ")}.`);
  }

  function callFound(call: ToolCall): Promise<ToolReply> {
    const { name, arguments: args = {} } = call.args;
    if (typeof args !== "object" || args === null)
      return Promise.resolve(toErrorResult("`arguments` must be an object with the tool's arguments."));
    return (
      callOperation({ ...call, name: String(name), args: args as Record<string, unknown> }) ??
      Promise.resolve(toErrorResult(`There is no tool ${String(name)}: find one with search_tools.`))
    );
  }

  function search({ args: { query, account } }: ToolCall): ToolReply {
    if (typeof query !== "string") return toErrorResult("`query` is required: what you want to do, in a few words.");
    const tools = searchTools(offered, query, typeof account === "string" ? account : undefined);
    return tools.length > 0
      ? toResult({ tools })
      : toErrorResult("No tool was found. Try other words, or list_accounts.");
  }

  return {
    title: "Plugboard",
    instructions: searched ? INSTRUCTIONS + SEARCH : INSTRUCTIONS,
    list: () => [
      listAccountsTool,
      ...(searched ? [searchToolsTool, callToolTool] : defineTools(offered)),
      ...(link && newAccountsOf && connectable.length > 0
        ? [defineConnectAccount(connectable.map(({ name }) => name))]
        : []),
      ...(direct && callable.length > 0 ? [defineCallApi(callable, direct.mayWrite)] : []),
    ],
    call(call) {
      if (call.name === LIST_ACCOUNTS) return Promise.resolve(toResult(describeAccounts(accounts, offered)));
      if (link && call.name === CONNECT_ACCOUNT) return connectAccount(call);
      if (direct && call.name === CALL_API) return callDirectly(call, direct);
      if (searched && call.name === searchToolsTool.name) return Promise.resolve(search(call));
      if (searched && call.name === callToolTool.name) return callFound(call);
      return callOperation(call);
    },
  };
}
