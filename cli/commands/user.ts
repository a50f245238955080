// `octavo user …`: creates and lists the users of a storage, or of an organization on a server, and signs them in.

import { omitUndefined } from "../../src/utils/objects";
import {
  connectionOptions,
  existingStorageOptions,
  organizationOption,
  resolveOrganization,
  runWithConnection,
} from "../connection/connect";
import { originOptions, readPublicOrigin } from "../connection/public-origin";
import { isHeldByAnotherProcess, readStorageSettings } from "../connection/storage-settings";
import {
  type Command,
  CommandError,
  formatColumns,
  formatCount,
  jsonOption,
  printResult,
  UsageError,
} from "../framework/command";
import { readNumber } from "../framework/command-input";
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

const DAY_MINUTES = 24 * 60;

const link: Command = {
  name: "user link",
  summary: "Print a link that signs a user in once.",
  notes: [
    "Give the link to the user alone. It works on the server that uses this storage, and begins with its public origin, so pass ",
    "the options of octavo serve. One process at a time can open a LevelDB directory: stop the server, run the command, and start ",
    "the server again.",
  ].join(""),
  args: [{ name: "email", summary: "The e-mail address of the user." }],
  options: [
    {
      name: "minutes",
      value: "number",
      fallback: "15",
      summary: `How long the link works: 1 to ${DAY_MINUTES} minutes.`,
    },
    ...originOptions,
    ...existingStorageOptions.map((option) => (option.name === "data" ? { ...option, fallback: "./data" } : option)),
    jsonOption,
  ],
  examples: ["octavo user link ada@example.com --data ./data", "octavo user link ada@example.com --storage postgres"],
  async run(input, { env, terminal }) {
    const minutes = readNumber(input, "minutes", 1, DAY_MINUTES) ?? 15;
    const { origin } = readPublicOrigin(input);
    const settings = readStorageSettings(input, env);
    const { openApi } = await import("../connection/direct-transport");
    const api = await openApi(settings, { origin }).catch((error: unknown) => {
      if (!isHeldByAnotherProcess(error)) throw error;
      throw new CommandError(
        `${error.message} If that is your server, stop it, run this command again, and start the server.`,
      );
    });
    try {
      const email = input.args[0]!;
      const { value: user } = await api.users({ email })[Symbol.asyncIterator]().next();
      if (!user)
        throw new UsageError(`This storage has no user ${replaceControlCharacters(email)}: see octavo user list.`);
      if (user.disabledAt !== undefined) throw new CommandError(`${user.email} is disabled, and cannot sign in.`);
      const { createSignIn } = await import("octavo/sign-in");
      const url = await createSignIn(api).createSignInLink(user.id, minutes);
      printResult(input, terminal, { user: user.id, link: url, minutes }, [
        `Sign in as ${user.email}, once and within ${formatCount(minutes, "minute")}: ${url}`,
      ]);
    } finally {
      await api.close();
    }
    return undefined;
  },
};

export const userCommands: readonly Command[] = [create, list, show, link];
