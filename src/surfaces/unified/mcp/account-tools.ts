import { toLimitedTool } from "../../../categories/tools.ts";
import { isWrite } from "../../../contracts/operation.ts";
import { allowsTool, type ToolLimits } from "../../../contracts/tool-packs.ts";
import type { Engine } from "../../../engine/index.ts";
import type { Account, Accounts } from "./accounts.ts";
import { cleanTexts } from "./clean-text.ts";
import { LIST_ACCOUNTS, type Tool, type ToolUser, worksWith } from "./tools.ts";

/** An operation, and the accounts that it works with. */
export interface OfferedTool {
  tool: Tool;
  users: (ToolUser & { account: string })[];
}

/** The tools that the accounts have together, in the order of the table of operations. */
export function offerTools(
  engine: Pick<Engine, "supports" | "requires">,
  tools: readonly Tool[],
  { connected }: Accounts,
  limits: readonly ToolLimits[],
): OfferedTool[] {
  return tools.flatMap((tool) => {
    if (!allowsTool(limits, toLimitedTool(tool.operation))) return [];
    const users = connected.flatMap(({ name, connection }) => {
      if (!connection || !engine.supports(connection, tool.operation)) return [];
      const { name: provider } = connection.provider.manifest;
      const user = { account: name, provider, requires: engine.requires(connection, tool.operation) };
      return worksWith(tool, user) ? [user] : [];
    });
    return users.length > 0 ? [{ tool, users }] : [];
  });
}

const READS = { readOnlyHint: true, openWorldHint: false };

export const listAccountsTool = {
  name: LIST_ACCOUNTS,
  title: "List accounts",
  description:
    "Lists the user's accounts, with the tools that each can be used with, and the services that the user could connect. Call it first.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  annotations: { ...READS },
};

/** The entry of `connect_account` in the result of `tools/list`. */
export const defineConnectAccount = (names: readonly string[]) => ({
  name: "connect_account",
  title: "Connect an account",
  description: "Lets the user connect an account at a service that none of their accounts is at. It gets tools then.",
  inputSchema: {
    type: "object",
    properties: { account: { type: "string", enum: names, description: "The service" } },
    required: ["account"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
});

const describeAccount = ({ name, record, connection }: Account, offered: readonly OfferedTool[]) => {
  const own = offered.filter(({ users }) => users.some(({ account }) => account === name));
  const names = (writes: boolean) =>
    own.filter(({ tool }) => isWrite(tool.operation.kind) === writes).map(({ tool }) => tool.name);
  return {
    account: name,
    provider: connection?.provider.manifest.name ?? record.integration_identifier,
    user: record.account?.name ?? record.account?.email ?? null,
    works: connection !== undefined && record.is_valid,
    read_tools: names(false),
    write_tools: names(true),
  };
};

/** The result of `list_accounts`. */
export const describeAccounts = ({ connected, connectable }: Accounts, offered: readonly OfferedTool[]) =>
  cleanTexts({
    accounts: connected.map((account) => describeAccount(account, offered)),
    can_be_connected: connectable.map(({ name }) => name),
  });
