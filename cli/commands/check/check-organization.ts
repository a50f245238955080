// What is wrong in an organization beside the content of its spaces.

import type { Connection } from "../../connection/connection";
import { CommandFailed } from "../../framework/errors";
import type { Terminal } from "../../framework/terminal";
import type { Finding } from "./finding";

export async function checkOrganization(
  connection: Connection,
  organizationId: string,
  terminal: Terminal,
  found: (finding: Finding) => void,
): Promise<void> {
  const params = { organizationId };
  const parts = {
    "OpenAPI specifications": () => checkSpecs(connection, params, found),
    translations: () => checkTranslations(connection, params, found),
    jobs: () => checkJobs(connection, params, found),
  };
  for (const [name, run] of Object.entries(parts)) {
    try {
      await run();
    } catch (error) {
      // What somebody may not see is not theirs to check.
      if (!(error instanceof CommandFailed) || error.reason !== "forbidden") throw error;
      terminal.tell(`Left out: ${name}, which you may not see.`);
    }
  }
}

type Params = { readonly organizationId: string };
type Found = (finding: Finding) => void;

async function checkSpecs({ each }: Connection, params: Params, found: Found): Promise<void> {
  for await (const { slug, lastProcessErrorCode, lastProcessErrorMessage } of each("listOpenApiSpecs", { params }))
    if (lastProcessErrorCode)
      found({ kind: "openapi", where: slug, reason: lastProcessErrorMessage ?? `It failed: ${lastProcessErrorCode}.` });
}

async function checkTranslations({ each }: Connection, params: Params, found: Found): Promise<void> {
  for await (const { id, status, error, language } of each("listTranslations", { params }))
    if (status === "failed" || error !== undefined)
      found({ kind: "translation", where: `${id} (${language})`, reason: error ?? "The last run failed." });
}

async function checkJobs({ each }: Connection, params: Params, found: Found): Promise<void> {
  for await (const { id, step, error } of each("listJobs", { params, query: { status: "parked" } }))
    found({ kind: "job", where: `${id} (${step})`, reason: error ?? "It was given up." });
}
