// `octavo token …`: creates, lists and revokes the API tokens of a user.

import { omitUndefined } from "../../src/utils/objects";
import { connectionOptions, runWithConnection } from "../connection/connect";
import { type Command, formatColumns, jsonOption, printResult, UsageError } from "../framework/command";
import { replaceControlCharacters } from "../framework/terminal";

const DAY_MS = 24 * 60 * 60 * 1000;

const create: Command = {
  name: "token create",
  summary: "Create an API token and print it once.",
  options: [
    { name: "label", value: "text", fallback: "Command line", summary: "What the token is for." },
    {
      name: "scopes",
      value: "scopes",
      fallback: "all of your permissions",
      summary: "A comma-separated list of scopes.",
    },
    {
      name: "expires",
      value: "when",
      fallback: "never",
      summary: "When the token expires: a number of days such as 90d, or a date such as 2030-01-31.",
    },
    ...connectionOptions,
    jsonOption,
  ],
  examples: [
    "octavo token create --label ci --scopes spaces:read,revisions:read --expires 90d --data ./data --as ada@example.com",
  ],
  async run(input, context) {
    const scopes = input
      .text("scopes")
      ?.split(",")
      .flatMap((scope) => scope.trim() || []);
    const expires = input.text("expires");
    let expiresAt: string | undefined;
    if (expires !== undefined) {
      const days = expires.match(/^(\d{1,5})d$/)?.[1];
      const time = days === undefined ? Date.parse(expires) : Date.now() + Number(days) * DAY_MS;
      if (Number.isNaN(time) || time <= Date.now())
        throw new UsageError(
          "--expires must be in the future: a number of days such as 90d, or a date such as 2030-01-31.",
        );
      expiresAt = new Date(time).toISOString();
    }
    return runWithConnection(input, context, async ({ ask }) => {
      const body = {
        label: input.text("label") ?? "Command line",
        ...omitUndefined({ scopes, expiresAt }),
      };
      const token = await ask("createToken", { body });
      printResult(input, context.terminal, token, [
        `API token (not shown again): ${token.token}`,
        `Token ID: ${token.id}`,
      ]);
      return undefined;
    });
  },
};

const list: Command = {
  name: "token list",
  summary: "List your API tokens, without their values.",
  options: [...connectionOptions, jsonOption],
  async run(input, context) {
    return runWithConnection(input, context, async ({ each }) => {
      const tokens = [];
      for await (const token of each("listTokens", {})) tokens.push(token);
      const rows = tokens.map(({ id, createdAt, expiresAt, scopes, label }) => [
        id,
        `made ${createdAt.slice(0, 10)}`,
        expiresAt ? `ends ${expiresAt.slice(0, 10)}` : "never ends",
        scopes ? scopes.join(",") : "all",
        label,
      ]);
      printResult(input, context.terminal, tokens, formatColumns(rows));
      return undefined;
    });
  },
};

const revoke: Command = {
  name: "token revoke",
  summary: "Revoke an API token.",
  args: [{ name: "token-id", summary: "The token's id. See octavo token list." }],
  options: [...connectionOptions, jsonOption],
  async run(input, context) {
    const tokenId = input.args[0]!;
    return runWithConnection(input, context, async ({ ask }) => {
      await ask("revokeToken", { params: { tokenId } });
      printResult(input, context.terminal, { revoked: tokenId }, [`${replaceControlCharacters(tokenId)} is revoked.`]);
      return undefined;
    });
  },
};

export const tokenCommands: readonly Command[] = [create, list, revoke];
