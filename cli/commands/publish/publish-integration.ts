// `octavo publish-integration`: an integration from a folder with a manifest and a script.

import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OperationInput } from "octavo";
import { omitUndefined } from "../../../src/utils/objects";
import { connected, connectionOptions } from "../../connection/connect";
import { organizationOf, organizationOption } from "../../connection/organization";
import type { Command } from "../../framework/command";
import { wrongUse } from "../../framework/errors";
import { jsonOption, printResult } from "../../framework/output";
import type { Given } from "../../framework/parsed-arguments";
import { plain } from "../../framework/plain";
import { importsIn } from "./find-imports";

const MANIFEST = "integration.json";

type Body = NonNullable<OperationInput<"publishIntegration">["body"]>;

/** `integration.json`: the name, the path of the script, and what else the API takes. */
interface Manifest extends Body {
  readonly name: string;
}

export const publishIntegration: Command = {
  name: "publish-integration",
  summary: "Publish an integration, or a new version of it.",
  notes: `The manifest, ${MANIFEST}, is a JSON object with the fields that POST /v1/integrations/{integrationName} takes, the name of the integration as \`name\`, and the path of its script as \`script\`. The script is one ES module that imports nothing. Secrets are read from the environment, never from the manifest.`,
  args: [{ name: "folder", summary: `A folder with ${MANIFEST}, or the path of a manifest.` }],
  options: [
    {
      name: "secret-from",
      value: "variable",
      isMany: true,
      summary: "Give the script the secret in this variable, under its name.",
    },
    organizationOption,
    ...connectionOptions,
    jsonOption,
  ],
  examples: ["WEBHOOK_SECRET=… octavo publish-integration ./merge-summary --secret-from WEBHOOK_SECRET"],
  async run(given, surroundings) {
    const { name: integrationName, ...fields } = await manifestAt(given.args[0]!);
    const secrets = secretsOf(given, surroundings.env);
    return connected(given, surroundings, async (connection) => {
      const organization = fields.organization ?? (await organizationOf(given, connection));
      const body = { ...fields, organization, ...omitUndefined({ secrets }) };
      const published = await connection.ask("publishIntegration", { params: { integrationName }, body });
      printResult(given, surroundings.terminal, published, [
        `Published ${plain(published.name)}, version ${published.version}.`,
      ]);
      return undefined;
    });
  },
};

async function manifestAt(path: string): Promise<Manifest> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory();
  const file = isFolder ? join(path, MANIFEST) : path;
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) throw wrongUse(`There is no manifest at ${file}.`);
  const manifest = parsed(text, file);
  if (typeof manifest.name !== "string") throw wrongUse(`${file} must have the name of the integration as name.`);
  if (manifest.secrets !== undefined)
    throw wrongUse(`${file} must not have secrets: put each into a variable, and name it with --secret-from.`);
  if (manifest.script === undefined) return manifest;
  return { ...manifest, script: await scriptAt(join(dirname(file), manifest.script)) };
}

function parsed(text: string, file: string): Manifest {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Manifest;
  } catch {
    // It is told below.
  }
  throw wrongUse(`${file} must be a JSON object.`);
}

async function scriptAt(path: string): Promise<string> {
  const script = await readFile(path, "utf8").catch(() => undefined);
  if (script === undefined) throw wrongUse(`The script ${path} cannot be read.`);
  const [first] = importsIn(script);
  if (first !== undefined)
    throw wrongUse(
      `${path} imports ${first}: bundle it into one file first, such as with esbuild --bundle --format=esm.`,
    );
  return script;
}

function secretsOf(
  given: Given,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> | undefined {
  const names = given.texts("secret-from");
  const missing = names.find((name) => !env[name]);
  if (missing !== undefined) throw wrongUse(`The variable ${missing} is empty or missing.`);
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, env[name]!]));
}
