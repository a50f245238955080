// Checks everything in an organization outside of its spaces.

import type { ApiConnection } from "../../connection/connection";
import { CommandError } from "../../framework/command";
import type { Terminal } from "../../framework/terminal";
import type { CheckFinding } from "./finding";

export async function checkOrganization(
  connection: ApiConnection,
  organizationId: string,
  terminal: Terminal,
  onFinding: (finding: CheckFinding) => void,
): Promise<void> {
  const { each } = connection;
  const params = { organizationId };
  const checks = {
    "OpenAPI specifications": async () => {
      for await (const { slug, lastProcessErrorCode, lastProcessErrorMessage } of each("listOpenApiSpecs", { params }))
        if (lastProcessErrorCode) {
          const reason = lastProcessErrorMessage ?? `It failed: ${lastProcessErrorCode}.`;
          onFinding({ kind: "openapi", where: slug, reason });
        }
    },
    translations: async () => {
      for await (const { id, status, error, language } of each("listTranslations", { params }))
        if (status === "failed" || error !== undefined)
          onFinding({ kind: "translation", where: `${id} (${language})`, reason: error ?? "The last run failed." });
    },
    jobs: async () => {
      for await (const { id, step, error } of each("listJobs", { params, query: { status: "parked" } }))
        onFinding({ kind: "job", where: `${id} (${step})`, reason: error ?? "It failed too many times." });
    },
  };
  for (const [name, runCheck] of Object.entries(checks)) {
    try {
      await runCheck();
    } catch (error) {
      // Users check only what they may see.
      if (!(error instanceof CommandError) || error.reason !== "forbidden") throw error;
      terminal.tell(`Skipped: ${name}, which you don't have access to.`);
    }
  }
}
