// `octavo publish-openapi`: publishes a specification from a file or a URL.

import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { connectionOptions, organizationOption, resolveOrganization, runWithConnection } from "../connection/connect";
import { type Command, CommandError, jsonOption, printResult, STATUS, UsageError } from "../framework/command";
import { replaceControlCharacters } from "../framework/terminal";

const MAX_WAIT_MS = 120_000;
const POLL_INTERVAL_MS = 500;

export const publishOpenApiCommand: Command = {
  name: "publish-openapi",
  summary: "Publish an OpenAPI specification or a new version of it.",
  notes: [
    "A file is sent unchanged, and references to other local files aren't followed. The server fetches a URL",
    "with everything it refers to, and checks it for changes regularly. The command waits until the specification has been",
    "processed, and exits with status 1 if that failed.",
  ].join(" "),
  args: [{ name: "source", summary: "A file (JSON or YAML) or a URL." }],
  options: [
    { name: "slug", value: "name", summary: "The name of the specification in the organization. Required." },
    {
      name: "visibility",
      value: "who",
      choices: ["private", "public"],
      fallback: "unchanged, or private for a new one",
      summary: "Whether it is readable without a token.",
    },
    organizationOption,
    ...connectionOptions,
    jsonOption,
  ],
  examples: ["octavo publish-openapi openapi.yaml --slug pets --url https://docs.example.com"],
  async run(input, context) {
    const slug = input.text("slug");
    if (slug === undefined) throw new UsageError("--slug is required: the name of the specification, such as pets.");
    const path = input.args[0]!;
    const isUrl = /^https?:/.test(path);
    const text = isUrl ? undefined : await readFile(path, "utf8").catch(() => undefined);
    if (!isUrl && text === undefined) throw new UsageError(`Cannot read file ${path}.`);
    const source = text === undefined ? { url: path } : { text };
    const visibility = input.text("visibility") as "private" | "public" | undefined;
    return runWithConnection(input, context, async (connection) => {
      const params = { organizationId: await resolveOrganization(input, connection), specSlug: slug };
      await connection.ask("putOpenApiSpec", { params, body: { source } });
      // Waits until the server has read the specification. On a storage, this process runs the work itself.
      let spec = await connection.ask("getOpenApiSpec", { params });
      for (const end = Date.now() + MAX_WAIT_MS; spec.processingState !== "complete"; ) {
        if (Date.now() > end)
          throw new CommandError(
            "The specification was stored, but not processed within two minutes.",
            STATUS.unreachable,
          );
        await connection.host?.maintain();
        await wait(POLL_INTERVAL_MS, undefined, { signal: context.signal });
        spec = await connection.ask("getOpenApiSpec", { params });
      }
      if (spec.lastProcessErrorCode)
        throw new CommandError(spec.lastProcessErrorMessage ?? `Failed: ${spec.lastProcessErrorCode}.`);
      if (visibility && spec.visibility !== visibility)
        await connection.ask("updateOpenApiSpec", { params, body: { visibility } });
      printResult(input, context.terminal, await connection.ask("getOpenApiSpec", { params }), [
        `Published ${replaceControlCharacters(slug)}: ${spec.lastVersion}.`,
      ]);
      return undefined;
    });
  },
};
