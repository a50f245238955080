// Synchronization of a space with a branch of a Git repository. A request is stored in the queue of its space before it
// is answered. `git/info` shows the result.

import type * as v from "valibot";
import { createError, createValidationError, DocsError } from "../../../errors";
import { splitCredentials } from "../../../git/port";
import type { JobType } from "../../../jobs/jobs";
import { getProgress } from "../../../jobs/progress";
import { defineOperation } from "../../../operation/operation";
import type { Ports } from "../../../ports/ports";
import { sealContexts } from "../../../storage/seal-contexts";
import type { Transaction } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { parseUrl } from "../../../utils/url";
import { space } from "../../library/spaces/rules";
import { installationAccess, isInstallationId } from "../../people/members/installation-access";
import { parseOmissionReport } from "../imports/omission-report";
import { syncGit } from "./jobs";
import {
  dropGitSync,
  type GitRequest,
  type GitSyncRecord,
  gitRequests,
  gitSyncs,
  isSameFolder,
  type RepositoryFolder,
  type RepositoryLinks,
} from "./records";
import { GitExport, GitImport, GitInfo } from "./schema";
import { presentGitSync } from "./views";

/** The most queued requests of a space. */
const MAX_WAITING = 40;

export const importFromGit = defineOperation("POST /spaces/:spaceId/git/import", {
  summary: "Import a space from Git",
  target: space,
  right: "triggerGitSync",
  body: GitImport,
  async handle(context) {
    const { standalone = false } = context.body;
    await enqueueRequest(context, { direction: "import", standalone });
  },
});

export const exportToGit = defineOperation("POST /spaces/:spaceId/git/export", {
  summary: "Export a space to Git",
  target: space,
  right: "triggerGitSync",
  body: GitExport,
  handle: (context) =>
    enqueueRequest(context, { direction: "export", standalone: false, message: context.body.commitMessage }),
});

export const getGitInfo = defineOperation("GET /spaces/:spaceId/git/info", {
  summary: "Get the Git sync status",
  target: space,
  right: "view",
  returns: GitInfo,
  async handle({ tx, space, objects }) {
    const sync = await gitSyncs.get(tx, space.id);
    if (!sync) throw createError("git_sync_not_found");
    const waiting = await gitRequests.list(tx, "inOrder", { under: [space.id], limit: MAX_WAITING });
    const [progress] = await getProgress(tx, "git", [space.id]);
    const { conflicts, directory, treeUrl, agreed, last, ref } = sync;
    let lastRun: v.InferOutput<typeof GitInfo>["lastRun"];
    if (last) {
      const { skipped, ...rest } = last;
      if (skipped === undefined) lastRun = rest;
      else if (typeof skipped === "string")
        lastRun = { ...rest, skipped: parseOmissionReport(await objects.text(skipped)).skipped };
      else {
        const reason = `${skipped} were not taken; they were not named when this ran.`;
        lastRun = { ...rest, skipped: [{ resource: "…", reason }] };
      }
    }
    return {
      object: "git-info" as const,
      ...presentGitSync(sync),
      ref,
      ...omitUndefined({ repoProjectDirectory: directory === "" ? undefined : directory, repoTreeURL: treeUrl }),
      waiting: waiting.length,
      ...omitUndefined({
        lastRun,
        progress,
        commit: agreed?.commit,
        conflicts: conflicts && { revision: conflicts.revision, count: conflicts.count, list: [...conflicts.list] },
      }),
    };
  },
});

export const removeGitSync = defineOperation("DELETE /spaces/:spaceId/git/legacy-installation", {
  summary: "Remove Git sync",
  target: space,
  right: "triggerGitSync",
  async handle({ tx, space }) {
    await dropGitSync(tx, space.id);
  },
});

interface EnqueueContext {
  readonly tx: Transaction;
  readonly ports: Ports;
  readonly now: Date;
  readonly body: Omit<v.InferOutput<typeof GitImport>, "standalone">;
  readonly actor: { readonly user: { readonly id: string } };
  readonly organization: { readonly id: string };
  readonly space: { readonly id: string };
  readonly enqueueJob: (
    step: JobType<{ organization: string; space: string }>,
    payload: { organization: string; space: string },
  ) => void;
}

async function enqueueRequest(
  { tx, ports, now, body, actor, organization, space, enqueueJob }: EnqueueContext,
  kind: Pick<GitRequest, "direction" | "standalone" | "message">,
): Promise<void> {
  if (!ports.fetch) throw createError("no_outbound_fetch");
  const { url, auth } = splitCredentials(body.url);
  // Plain http would send a password in clear text, so the host application must allow it for each host.
  const { protocol, host, hostname } = parseUrl(url);
  const { plainHttpHosts } = ports.git;
  if (protocol !== "https:" && !plainHttpHosts.has(host) && !plainHttpHosts.has(hostname))
    throw createValidationError("body.url", "Expected a URL that begins with https://");
  const directory = (body.repoProjectDirectory ?? "")
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
  const folder: RepositoryFolder = { url, ref: body.ref, directory };
  const integration = isInstallationId(actor.user.id)
    ? await installationAccess.implementation.getIntegrationName(tx, actor.user.id)
    : undefined;
  const links: RepositoryLinks = omitUndefined({
    provider: body.gitInfo?.provider,
    page: body.gitInfo?.url,
    treeUrl: body.repoTreeURL,
    commitUrl: body.repoCommitURL,
    integration,
  });
  const before = await gitSyncs.get(tx, space.id);
  const waiting = await gitRequests.list(tx, "inOrder", { under: [space.id], limit: MAX_WAITING });
  if (waiting.length === MAX_WAITING) throw new DocsError("git_sync_busy", { headers: { "retry-after": "60" } });
  const number = (before?.asked ?? 0) + 1;
  const requestedAt = now.toISOString();
  // A time in the future would make all later requests look older, and they would be dropped.
  const timestamp = body.timestamp === undefined ? now.getTime() : Date.parse(body.timestamp);
  await gitRequests.put(tx, {
    space: space.id,
    number,
    ...kind,
    ...folder,
    ...links,
    timestamp: new Date(Math.min(timestamp, now.getTime()) || now.getTime()).toISOString(),
    requestedAt,
    by: actor.user.id,
    ...omitUndefined({
      sealed: auth
        ? await ports.git.secrets.encrypt(JSON.stringify(auth), sealContexts.gitRequests(space.id))
        : undefined,
    }),
    force: body.force ?? false,
    attempts: 0,
  });

  // A request that only creates a revision does not change the repository of the space.
  let record: Omit<GitSyncRecord, "updatedAt" | "asked"> = { space: space.id, ...folder, ...links };
  if (before && kind.standalone) record = before;
  else if (before) {
    const { provider: _, integration: __, page: ___, treeUrl: ____, commitUrl: _____, ...rest } = before;
    record = { ...(isSameFolder(before, folder) ? before : rest), ...folder, ...links };
  }
  await gitSyncs.put(tx, { ...record, updatedAt: requestedAt, asked: number });
  enqueueJob(syncGit, { organization: organization.id, space: space.id });
}
