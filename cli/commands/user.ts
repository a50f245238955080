// `octavo user …`: creates and lists the users of a storage, or of an organization on a server.

import { omitUndefined } from "../../src/utils/objects";
import { connectionOptions, organizationOption, resolveOrganization, runWithConnection } from "../connection/connect";
import { type Command, CommandError, formatColumns, jsonOption, printResult, UsageError } from "../framework/command";
import { replaceControlCharacters } from "../framework/terminal";

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
  async run(input, context) {
    return runWithConnection(input, context, async ({ host }) => {
      if (!host)
        throw new UsageError(
          "A server makes no users: name the storage with --data or --storage, or see octavo org invite.",
        );
      const email = input.args[0]!;
      const [title, label] = [input.text("found"), input.text("token-label")];
      const request = {
        user: { email, displayName: input.text("name") ?? email.split("@")[0]! },
        ...omitUndefined({
          organization: title === undefined ? undefined : { title },
          token: label === undefined ? undefined : { label },
        }),
      };
      const created = await host.provision(request).catch((error: Error) => {
        throw new CommandError(`${replaceControlCharacters(email)} was not made: ${error.message}`);
      });
      printResult(input, context.terminal, created, [
        `The user's id: ${created.user}`,
        ...(created.organization ? [`The organization's id: ${created.organization}`] : []),
        ...(created.token ? [`The token, shown only this once: ${created.token}`] : []),
      ]);
      return undefined;
    });
  },
};

const list: Command = {
  name: "user list",
  summary: "List users: all of a storage, or those in an organization.",
  options: [organizationOption, ...connectionOptions, jsonOption],
  async run(input, context) {
    return runWithConnection(input, context, async (connection) => {
      const users: { id: string; displayName: string; email: string }[] = [];
      if (connection.host && input.text("org") === undefined)
        for await (const user of connection.host.users()) users.push(user);
      else {
        const organizationId = await resolveOrganization(input, connection);
        for await (const { user } of connection.each("listMembers", { params: { organizationId } }))
          users.push({ id: user.id, displayName: user.displayName, email: user.email });
      }
      users.sort((a, b) => (a.email < b.email ? -1 : 1));
      const rows = users.map(({ id, email, displayName }) => [id, email, displayName]);
      printResult(input, context.terminal, users, formatColumns(rows));
      return undefined;
    });
  },
};

const show: Command = {
  name: "user show",
  summary: "Show a user and the organizations that you share.",
  args: [{ name: "user", summary: "The id of the user. Left out: yourself.", isOptional: true }],
  options: [...connectionOptions, jsonOption],
  async run(input, context) {
    return runWithConnection(input, context, async ({ ask, each }) => {
      const [userId] = input.args;
      const user =
        userId === undefined ? await ask("getCurrentUser", {}) : await ask("getUser", { params: { userId } });
      const organizations = [];
      if (userId === undefined)
        for await (const { id, title } of each("listOrganizations", {})) organizations.push({ id, title });
      printResult(
        input,
        context.terminal,
        { ...user, ...omitUndefined({ organizations: userId === undefined ? organizations : undefined }) },
        [
          ...formatColumns([
            ["id", user.id],
            ["name", user.displayName],
            ["e-mail", user.email],
          ]),
          ...organizations.map(({ id, title }) => `in ${id}  ${replaceControlCharacters(title)}`),
        ],
      );
      return undefined;
    });
  },
};

export const userCommands: readonly Command[] = [create, list, show];
