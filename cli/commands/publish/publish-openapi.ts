// `octavo publish-openapi`: a specification from a file or an address.

import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Resources } from "octavo";
import { connected, connectionOptions } from "../../connection/connect";
import type { Connection } from "../../connection/connection";
import { organizationOf, organizationOption } from "../../connection/organization";
import type { Command } from "../../framework/command";
import { CommandFailed, STATUS, wrongUse } from "../../framework/errors";
import { jsonOption, printResult } from "../../framework/output";
import { plain } from "../../framework/plain";

const PATIENCE_MS = 120_000;
const BETWEEN_MS = 500;

export const publishOpenApi: Command = {
  name: "publish-openapi",
  summary: "Publish an OpenAPI specification, or a new version of it.",
  notes:
    "A file is sent as it is: references to other files next to it are not followed. An address is fetched by the server, with all that it refers to, and looked at again from time to time. The command ends when the specification has been read, and with the status 1 when it could not be.",
  args: [{ name: "source", summary: "A file (JSON or YAML), or an address that begins with http." }],
  options: [
    { name: "slug", value: "name", summary: "The name of the specification in the organization. Required." },
    {
      name: "visibility",
      value: "who",
      choices: ["private", "public"],
      fallback: "as it is; a new one is private",
      summary: "Who may read it without a token.",
    },
    organizationOption,
    ...connectionOptions,
    jsonOption,
  ],
  examples: ["octavo publish-openapi openapi.yaml --slug pets --url https://docs.example.com"],
  async run(given, surroundings) {
    const slug = given.text("slug");
    if (slug === undefined) throw wrongUse("--slug must name the specification, such as pets.");
    const source = await sourceOf(given.args[0]!);
    const visibility = given.text("visibility") as "private" | "public" | undefined;
    return connected(given, surroundings, async (connection) => {
      const params = { organizationId: await organizationOf(given, connection), specSlug: slug };
      await connection.ask("putOpenApiSpec", { params, body: { source } });
      const spec = await processed(connection, params, surroundings.signal);
      if (visibility && spec.visibility !== visibility)
        await connection.ask("updateOpenApiSpec", { params, body: { visibility } });
      printResult(given, surroundings.terminal, await connection.ask("getOpenApiSpec", { params }), [
        `Published ${plain(slug)}: ${spec.lastVersion}.`,
      ]);
      return undefined;
    });
  },
};

async function sourceOf(source: string): Promise<{ url: string } | { text: string }> {
  if (/^https?:/.test(source)) return { url: source };
  const text = await readFile(source, "utf8").catch(() => undefined);
  if (text === undefined) throw wrongUse(`The file ${source} cannot be read.`);
  return { text };
}

async function processed(
  { ask, host }: Connection,
  params: { organizationId: string; specSlug: string },
  signal: AbortSignal,
): Promise<Resources.OpenApiSpec> {
  for (const end = Date.now() + PATIENCE_MS; ; await wait(BETWEEN_MS, undefined, { signal })) {
    const spec = await ask("getOpenApiSpec", { params });
    if (spec.processingState === "complete") {
      if (!spec.lastProcessErrorCode) return spec;
      throw new CommandFailed(spec.lastProcessErrorMessage ?? `It failed: ${spec.lastProcessErrorCode}.`);
    }
    if (Date.now() > end)
      throw new CommandFailed("The specification is stored, and was not read within two minutes.", STATUS.unreachable);
    await host?.maintain();
  }
}
