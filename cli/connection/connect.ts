// Opens the connection that the options of a command name.

import type { CommandInput } from "../framework/command";
import { type CommandContext, type CommandOption, UsageError } from "../framework/command";
import { type ApiConnection, createConnection, type Transport } from "./connection";
import { storageOptions } from "./storage-options";
import { readStorageSettings } from "./storage-settings";

/** The options of every command that works on an existing storage. Only a server creates a storage, or uses one in memory. */
export const existingStorageOptions: readonly CommandOption[] = storageOptions.map((option) => {
  if (option.name === "data") return { ...option, fallback: "none" };
  if (option.name !== "storage") return option;
  return {
    ...option,
    choices: ["level", "postgres", "s3"],
    summary: "Where data is stored: in a LevelDB directory, in PostgreSQL, or in a bucket.",
  };
});

export const connectionOptions: readonly CommandOption[] = [
  { name: "url", value: "url", variable: "OCTAVO_URL", summary: "The server to connect to." },
  { name: "token", value: "token", variable: "OCTAVO_TOKEN", summary: "The API token for that server." },
  ...existingStorageOptions,
  {
    name: "as",
    value: "user",
    fallback: "the first user created",
    summary: "With a storage: the email address or id of the user to act as.",
  },
];

/** Opens the connection, runs `run` on it, and closes it again. */
export async function runWithConnection<T>(
  input: CommandInput,
  { env, signal }: Pick<CommandContext, "env" | "signal">,
  run: (connection: ApiConnection) => Promise<T>,
): Promise<T> {
  // A flag wins over a variable, and among variables the server wins.
  const storageNames = listGivenStorageOptions(input);
  const storageFlag = storageNames.find(input.isFlag);
  if (storageFlag && input.isFlag("url")) throw new UsageError(`--url and --${storageFlag} can't be used together.`);
  const url = storageFlag ? undefined : input.text("url");
  let transport: Transport;
  if (url !== undefined) {
    if (!/^https?:/.test(url) || !URL.canParse(url))
      throw new UsageError(`${input.label("url")} must be a URL, such as https://docs.example.com.`);
    if (input.isFlag("as"))
      throw new UsageError("--as works only with a storage. On a server, the token identifies the user.");
    const { createHttpTransport } = await import("./http-transport");
    transport = createHttpTransport({ url, token: input.text("token"), signal });
  } else {
    if (storageNames.length === 0)
      throw new UsageError("Specify a server with --url and --token, or a storage with --data or --storage.");
    const { createDirectTransport, openApi } = await import("./direct-transport");
    transport = await createDirectTransport(await openApi(readStorageSettings(input, env)), input.text("as"));
  }
  try {
    return await run(createConnection(transport, signal));
  } finally {
    await transport.close();
  }
}

/** Returns the names of the given options that name a storage. */
export function listGivenStorageOptions(input: CommandInput): string[] {
  return ["data", "storage", "s3-bucket"].filter((name) => input.text(name) !== undefined);
}

export const organizationOption: CommandOption = {
  name: "org",
  value: "id",
  fallback: "your only organization",
  summary: "The organization.",
};

export async function resolveOrganization(input: CommandInput, connection: ApiConnection): Promise<string> {
  const named = input.text("org");
  if (named !== undefined) return named;
  const ids: string[] = [];
  for await (const { id } of connection.each("listOrganizations", {})) ids.push(id);
  if (ids.length === 1) return ids[0]!;
  if (ids.length === 0) throw new UsageError("You don't belong to an organization. Create one with octavo org create.");
  throw new UsageError(`You belong to ${ids.length} organizations. Choose one with --org. See octavo org list.`);
}
