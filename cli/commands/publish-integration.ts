// `octavo publish-integration`: publishes an integration from a folder with a manifest and a script.

import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OperationInput } from "octavo";
import { omitUndefined } from "../../src/utils/objects";
import { connectionOptions, organizationOption, resolveOrganization, runWithConnection } from "../connection/connect";
import { type Command, jsonOption, printResult, UsageError } from "../framework/command";
import { replaceControlCharacters } from "../framework/terminal";

const MANIFEST = "integration.json";

/** The content of `integration.json`: the body of the API, with the name of the integration and the path of its script. */
interface IntegrationManifest extends NonNullable<OperationInput<"publishIntegration">["body"]> {
  readonly name: string;
}

export const publishIntegrationCommand: Command = {
  name: "publish-integration",
  summary: "Publish an integration or a new version of it.",
  notes: [
    `The manifest, ${MANIFEST}, is a JSON object with the fields of POST /v1/integrations/{integrationName},`,
    "the integration's name as `name`, and the path of its script as `script`. The script is one ES module without",
    "imports. Secrets are read from the environment, never from the manifest.",
  ].join(" "),
  args: [{ name: "folder", summary: `A folder with ${MANIFEST}, or the path to a manifest.` }],
  options: [
    {
      name: "secret-from",
      value: "variable",
      isMany: true,
      summary: "An environment variable to pass to the script as a secret of the same name.",
    },
    organizationOption,
    ...connectionOptions,
    jsonOption,
  ],
  examples: ["WEBHOOK_SECRET=… octavo publish-integration ./merge-summary --secret-from WEBHOOK_SECRET"],
  async run(input, context) {
    const { name: integrationName, ...fields } = await readManifest(input.args[0]!);
    const secretNames = input.texts("secret-from");
    const missing = secretNames.find((name) => !context.env[name]);
    if (missing !== undefined) throw new UsageError(`The variable ${missing} is missing or empty.`);
    const secrets =
      secretNames.length === 0 ? undefined : Object.fromEntries(secretNames.map((name) => [name, context.env[name]!]));
    return runWithConnection(input, context, async (connection) => {
      const organization = fields.organization ?? (await resolveOrganization(input, connection));
      const body = { ...fields, organization, ...omitUndefined({ secrets }) };
      const published = await connection.ask("publishIntegration", { params: { integrationName }, body });
      printResult(input, context.terminal, published, [
        `Published ${replaceControlCharacters(published.name)}, version ${published.version}.`,
      ]);
      return undefined;
    });
  },
};

/** Reads the manifest and replaces the path of the script by its text. */
export async function readManifest(path: string): Promise<IntegrationManifest> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory();
  const file = isFolder ? join(path, MANIFEST) : path;
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) throw new UsageError(`Manifest not found: ${file}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The check below reports it.
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${file} must be a JSON object.`);
  const manifest = value as IntegrationManifest;
  if (typeof manifest.name !== "string") throw new UsageError(`${file} must have a name: the integration's name.`);
  if (manifest.secrets !== undefined)
    throw new UsageError(
      `${file} must not contain secrets. Put each into a variable and pass its name with --secret-from.`,
    );
  if (manifest.script === undefined) return manifest;

  const scriptPath = join(dirname(file), manifest.script);
  const script = await readFile(scriptPath, "utf8").catch(() => undefined);
  if (script === undefined) throw new UsageError(`Cannot read script ${scriptPath}.`);
  const [firstImport] = findImports(script);
  if (firstImport !== undefined)
    throw new UsageError(
      `${scriptPath} imports ${firstImport}. Bundle it into one file first, for example with esbuild --bundle --format=esm.`,
    );
  return { ...manifest, script };
}

const NOT_CODE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\[\s\S]|[^\\`])*`/g;
const IMPORT =
  /(?:^|[;}\n])\s*(?:import|export)\b[^;'"()]*?(?:\bfrom\s*)?(["'])((?:\\.|(?!\1)[^\\\n])*)\1|\bimport\s*\(\s*(["'])((?:\\.|(?!\3)[^\\\n])*)\3/g;

/** Finds the modules that a script imports, in their order. The script is not parsed: comments and templates are removed first. */
export function findImports(script: string): string[] {
  const modules: string[] = [];
  for (const [statement, , named, , dynamic] of script.replaceAll(NOT_CODE, " ").matchAll(IMPORT)) {
    const isExport = /^\W*export\b/.test(statement);
    if (isExport && !/\bfrom\s*["']/.test(statement)) continue;
    modules.push((named ?? dynamic)!);
  }
  return modules;
}
