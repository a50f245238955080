// Which connection a command line names.

import type { Surroundings } from "../framework/command";
import { wrongUse } from "../framework/errors";
import type { Option } from "../framework/option";
import type { Given } from "../framework/parsed-arguments";
import { type Connection, connectionOn, type Line } from "./connection";
import { storageOptions } from "./storage-options";
import { storageSettings } from "./storage-settings";

/** Options of every command that works on a storage that is there. */
export const existingStorageOptions: readonly Option[] = storageOptions.map(ofExistingData);

/** Options of every command that works on a server or on a storage. */
export const connectionOptions: readonly Option[] = [
  { name: "url", value: "url", variable: "OCTAVO_URL", summary: "The server to work on, over HTTP." },
  { name: "token", value: "token", variable: "OCTAVO_TOKEN", summary: "The API token for that server." },
  ...existingStorageOptions,
  {
    name: "as",
    value: "user",
    fallback: "the first user that was made",
    summary: "With a storage: the e-mail address or the id of the user who does it.",
  },
];

/** Only a server begins a storage, and only a server keeps one in memory. */
function ofExistingData(option: Option): Option {
  if (option.name === "data") return { ...option, fallback: "none" };
  if (option.name !== "storage") return option;
  return {
    ...option,
    choices: ["level", "postgres", "s3"],
    summary: "Where the data is: in a LevelDB directory, in PostgreSQL or in a bucket.",
  };
}

/** Opens the connection, runs something on it, and closes it again. */
export async function connected<T>(
  given: Given,
  { env, signal }: Pick<Surroundings, "env" | "signal">,
  run: (connection: Connection) => Promise<T>,
): Promise<T> {
  const line = await lineOf(given, env, signal);
  try {
    return await run(connectionOn(line, signal));
  } finally {
    await line.close();
  }
}

const ofStorage = ["data", "storage", "s3-bucket"];

/** The options that name a storage, as far as they are given. */
export function storageNamed(given: Given): string[] {
  return ofStorage.filter((name) => given.text(name) !== undefined);
}

/** A flag wins over a variable, and among variables the server wins. */
async function lineOf(given: Given, env: Surroundings["env"], signal: AbortSignal): Promise<Line> {
  const storage = storageNamed(given);
  const flagged = storage.find(given.isFlag);
  if (flagged && given.isFlag("url")) throw wrongUse(`--url and --${flagged} name two places: choose one.`);
  const url = flagged ? undefined : given.text("url");
  if (url !== undefined) {
    if (!/^https?:/.test(url) || !URL.canParse(url))
      throw wrongUse(`${given.label("url")} must be a URL, such as https://docs.example.com.`);
    if (given.isFlag("as")) throw wrongUse("--as is for a storage: on a server, the token says who it is.");
    return (await import("./open-http-connection")).httpLine({ url, token: given.text("token"), signal });
  }
  if (storage.length === 0)
    throw wrongUse("Where? --url and --token name a server; --data or --storage name a storage.");
  const { directLine, openApi } = await import("./open-direct-connection");
  return directLine(await openApi(storageSettings(given, env)), given.text("as"));
}
