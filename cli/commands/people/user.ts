// `octavo user …`: the users of a storage, or of an organization on a server.

import { omitUndefined } from "../../../src/utils/objects";
import { connected, connectionOptions } from "../../connection/connect";
import type { Connection } from "../../connection/connection";
import { organizationOf, organizationOption } from "../../connection/organization";
import type { Command } from "../../framework/command";
import { CommandFailed, wrongUse } from "../../framework/errors";
import { columns, jsonOption, printResult } from "../../framework/output";
import type { Given } from "../../framework/parsed-arguments";
import { plain } from "../../framework/plain";

interface Shown {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
}

const create: Command = {
  name: "user create",
  summary: "Make sure that a user exists, with an organization and a token if wanted.",
  notes: "This works on a storage only. On a server, people come in by invites: see octavo org invite.",
  args: [{ name: "email", summary: "The e-mail address, by which an existing user is found." }],
  options: [
    { name: "name", value: "text", fallback: "the part before the @", summary: "The name that others see." },
    {
      name: "found",
      value: "title",
      summary: "Also found an organization with this title. The user becomes its admin.",
    },
    { name: "token-label", value: "text", summary: "Also make a token with this label, and print it once." },
    ...connectionOptions,
    jsonOption,
  ],
  examples: ["octavo user create ada@example.com --name Ada --found Acme --token-label laptop --data ./data"],
  async run(given, surroundings) {
    return connected(given, surroundings, async ({ host }) => {
      if (!host)
        throw wrongUse("A server makes no users: name the storage with --data or --storage, or see octavo org invite.");
      const email = given.args[0]!;
      const made = await host.provision(wantedUser(given, email)).catch((error: Error) => {
        throw new CommandFailed(`${plain(email)} was not made: ${error.message}`);
      });
      printResult(given, surroundings.terminal, made, [
        `The user's id: ${made.user}`,
        ...(made.organization ? [`The organization's id: ${made.organization}`] : []),
        ...(made.token ? [`The token, shown only this once: ${made.token}`] : []),
      ]);
      return undefined;
    });
  },
};

function wantedUser({ text }: Given, email: string) {
  const [title, label] = [text("found"), text("token-label")];
  return {
    user: { email, displayName: text("name") ?? email.split("@")[0]! },
    ...omitUndefined({
      organization: title === undefined ? undefined : { title },
      token: label === undefined ? undefined : { label },
    }),
  };
}

const list: Command = {
  name: "user list",
  summary: "List users: all of a storage, or those in an organization.",
  options: [organizationOption, ...connectionOptions, jsonOption],
  async run(given, surroundings) {
    return connected(given, surroundings, async (connection) => {
      const users: Shown[] = [];
      for await (const user of listed(given, connection)) users.push(user);
      users.sort((a, b) => (a.email < b.email ? -1 : 1));
      const rows = users.map(({ id, email, displayName }) => [id, email, displayName]);
      printResult(given, surroundings.terminal, users, columns(rows));
      return undefined;
    });
  },
};

async function* listed(given: Given, connection: Connection): AsyncGenerator<Shown> {
  if (connection.host && given.text("org") === undefined) {
    yield* connection.host.users();
    return;
  }
  const organizationId = await organizationOf(given, connection);
  for await (const { user } of connection.each("listMembers", { params: { organizationId } }))
    yield { id: user.id, displayName: user.displayName, email: user.email };
}

const show: Command = {
  name: "user show",
  summary: "Show a user and the organizations that you share.",
  args: [{ name: "user", summary: "The id of the user. Left out: yourself.", isOptional: true }],
  options: [...connectionOptions, jsonOption],
  async run(given, surroundings) {
    return connected(given, surroundings, async ({ ask, each }) => {
      const [userId] = given.args;
      const user =
        userId === undefined ? await ask("getCurrentUser", {}) : await ask("getUser", { params: { userId } });
      const organizations = [];
      if (userId === undefined)
        for await (const { id, title } of each("listOrganizations", {})) organizations.push({ id, title });
      printResult(
        given,
        surroundings.terminal,
        { ...user, ...omitUndefined({ organizations: userId === undefined ? organizations : undefined }) },
        [
          ...columns([
            ["id", user.id],
            ["name", user.displayName],
            ["e-mail", user.email],
          ]),
          ...organizations.map(({ id, title }) => `in ${id}  ${plain(title)}`),
        ],
      );
      return undefined;
    });
  },
};

export const userCommands: readonly Command[] = [create, list, show];
