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
  summary: "Create a user if it doesn't exist, optionally with an organization and a token.",
  notes: "Works only on a storage. On a server, invite people with octavo org invite.",
  args: [{ name: "email", summary: "The email address. An existing user is reused." }],
  options: [
    { name: "name", value: "text", fallback: "the part before the @", summary: "The display name." },
    {
      name: "create-org",
      value: "title",
      summary: "Also create an organization with this title, with the user as its admin.",
    },
    { name: "token-label", value: "text", summary: "Also create an API token with this label and print it once." },
    ...connectionOptions,
    jsonOption,
  ],
  examples: ["octavo user create ada@example.com --name Ada --create-org Acme --token-label laptop --data ./data"],
  async run(input, context) {
    return runWithConnection(input, context, async ({ host }) => {
      if (!host)
        throw new UsageError(
          "Users can't be created on a server. Specify a storage with --data or --storage, or see octavo org invite.",
        );
      const email = input.args[0]!;
      const [title, label] = [input.text("create-org"), input.text("token-label")];
      const request = {
        user: { email, displayName: input.text("name") ?? email.split("@")[0]! },
        ...omitUndefined({
          organization: title === undefined ? undefined : { title },
          token: label === undefined ? undefined : { label },
        }),
      };
      const created = await host.provision(request).catch((error: Error) => {
        throw new CommandError(`Cannot create ${replaceControlCharacters(email)}: ${error.message}`);
      });
      printResult(input, context.terminal, created, [
        `User ID: ${created.user}`,
        ...(created.organization ? [`Organization ID: ${created.organization}`] : []),
        ...(created.token ? [`API token (not shown again): ${created.token}`] : []),
      ]);
      return undefined;
    });
  },
};

const list: Command = {
  name: "user list",
  summary: "List all users of a storage, or the users of an organization.",
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
  summary: "Show a user and the organizations you share.",
  args: [{ name: "user", summary: "The user's id. Default: you.", isOptional: true }],
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
  summary: "Print a one-time sign-in link for a user.",
  notes: [
    "Give the link only to that user. It works on the server that uses this storage and starts with its public origin, so pass ",
    "the same options as to octavo serve. Only one process can open a LevelDB directory: stop the server, run the command, and start ",
    "the server again.",
  ].join(""),
  args: [{ name: "email", summary: "The user's email address." }],
  options: [
    {
      name: "minutes",
      value: "number",
      fallback: "15",
      summary: `How long the link is valid: 1 to ${DAY_MINUTES} minutes.`,
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
        `${error.message} If that is your server, stop it, run this command again, and restart the server.`,
      );
    });
    try {
      const email = input.args[0]!;
      const { value: user } = await api.users({ email })[Symbol.asyncIterator]().next();
      if (!user)
        throw new UsageError(
          `User ${replaceControlCharacters(email)} not found in this storage. See octavo user list.`,
        );
      if (user.disabledAt !== undefined) throw new CommandError(`${user.email} is disabled and can't sign in.`);
      const { createSignIn } = await import("octavo/sign-in");
      const url = await createSignIn(api).createSignInLink(user.id, minutes);
      printResult(input, terminal, { user: user.id, link: url, minutes }, [
        `Sign in as ${user.email} (works once, for ${formatCount(minutes, "minute")}): ${url}`,
      ]);
    } finally {
      await api.close();
    }
    return undefined;
  },
};

export const userCommands: readonly Command[] = [create, list, show, link];
