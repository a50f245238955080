// Git: keeps a space and a branch of a repository in step. A request is put into the space's queue and is stored when
// it is answered. `git/info` shows the result.

import type * as v from "valibot";
import { createError, createValidationError, DocsError } from "../../../errors";
import { splitCredentials } from "../../../git/port";
import type { JobType } from "../../../jobs/jobs";
import { getProgress } from "../../../jobs/progress";
import { defineOperation } from "../../../operation/operation";
import type { Ports } from "../../../ports/ports";
import type { Transaction } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { parseUrl } from "../../../utils/url";
import { space } from "../../library/spaces/rules";
import { installationAccess, isInstallationId } from "../../people/members/installation-access";
import { syncGit } from "./jobs";
import {
  dropGitSync,
  type GitRequest,
  type GitSyncRecord,
  gitRequests,
  gitSyncs,
  isSameFolder,
  type RepositoryFolder,
  type Shown,
  sealedFor,
} from "./records";
import { GitExport, GitImport, GitInfo } from "./schema";
import { gitInfoView } from "./views";

/** The most queued requests of a space. */
const MAX_WAITING = 40;

export const importFromGit = defineOperation("POST /spaces/:spaceId/git/import", {
  summary: "Import a branch of a Git repository into a space",
  description:
    "204 says that the request is in the queue. What changed over there is merged into what the space shows; where both sides changed the same, the space keeps its own, and `GET …/git/info` names a revision with the other side. The first time, and with `force`, the repository wins. A locked space takes imports, too.",
  target: space,
  right: "triggerGitSync",
  body: GitImport,
  async handle(context) {
    const { standalone = false } = context.body;
    await enqueue(context, { direction: "import", standalone });
  },
});

export const exportToGit = defineOperation("POST /spaces/:spaceId/git/export", {
  summary: "Export a space to a branch of a Git repository, in one commit",
  description:
    "204 says that the request is in the queue. What is new in the repository is imported first. The first time, and with `force`, the space wins, in a commit on top of the others. A branch that is not there is made; where nothing has changed no commit is.",
  target: space,
  right: "triggerGitSync",
  body: GitExport,
  async handle(context) {
    await enqueue(context, { direction: "export", standalone: false, message: context.body.commitMessage });
  },
});

export const getGitInfo = defineOperation("GET /spaces/:spaceId/git/info", {
  summary: "Get the repository that a space is kept in step with, and how that goes",
  target: space,
  right: "view",
  returns: GitInfo,
  async handle({ tx, space, objects }) {
    const sync = await gitSyncs.get(tx, space.id);
    if (!sync) throw createError("git_sync_not_found");
    const waiting = await gitRequests.list(tx, "inOrder", { under: [space.id], limit: MAX_WAITING });
    const [progress] = await getProgress(tx, "git", [space.id]);
    return gitInfoView(
      sync,
      waiting.map(({ record }) => record),
      objects,
      progress,
    );
  },
});

export const removeGitSync = defineOperation("DELETE /spaces/:spaceId/git/legacy-installation", {
  summary: "End the synchronization of a space; its content stays",
  target: space,
  right: "triggerGitSync",
  async handle({ tx, space }) {
    await dropGitSync(tx, space.id);
  },
});

type Wanted = Omit<v.InferOutput<typeof GitImport>, "standalone">;

interface Asking {
  readonly tx: Transaction;
  readonly ports: Ports;
  readonly now: Date;
  readonly body: Wanted;
  readonly actor: { readonly user: { readonly id: string } };
  readonly organization: { readonly id: string };
  readonly space: { readonly id: string };
  readonly enqueueJob: (
    step: JobType<{ organization: string; space: string }>,
    payload: { organization: string; space: string },
  ) => void;
}

/** Puts a request into the queue of its space. */
async function enqueue(
  { tx, ports, now, body, actor, organization, space, enqueueJob }: Asking,
  what: Pick<GitRequest, "direction" | "standalone" | "message">,
): Promise<void> {
  if (!ports.fetch) throw createError("no_outbound_fetch");
  const { url, auth } = splitCredentials(body.url);
  checkAllowed(url, ports);
  const place: RepositoryFolder = { url, ref: body.ref, directory: folderOf(body.repoProjectDirectory ?? "") };
  const integration = isInstallationId(actor.user.id)
    ? await installationAccess.implementation.getIntegrationName(tx, actor.user.id)
    : undefined;
  const shown = { ...shownBy(body), ...omitUndefined({ integration }) };
  const before = await gitSyncs.get(tx, space.id);
  const waiting = await gitRequests.list(tx, "inOrder", { under: [space.id], limit: MAX_WAITING });
  if (waiting.length === MAX_WAITING) throw new DocsError("git_sync_busy", { headers: { "retry-after": "60" } });
  const number = (before?.asked ?? 0) + 1;
  const requestedAt = now.toISOString();
  await gitRequests.put(tx, {
    space: space.id,
    number,
    ...what,
    ...place,
    ...shown,
    timestamp: orderedAt(body.timestamp, now),
    requestedAt,
    by: actor.user.id,
    ...omitUndefined({
      sealed: auth ? await ports.git.secrets.encrypt(JSON.stringify(auth), sealedFor(space.id)) : undefined,
    }),
    force: body.force ?? false,
    attempts: 0,
  });
  await gitSyncs.put(tx, { ...placed(before, place, shown, space.id, what), updatedAt: requestedAt, asked: number });
  enqueueJob(syncGit, { organization: organization.id, space: space.id });
}

/**
 * A time in the future would make all later requests look older, and they would be dropped. So it becomes the current
 * time.
 */
function orderedAt(timestamp: string | undefined, now: Date): string {
  const wanted = timestamp === undefined ? now.getTime() : Date.parse(timestamp);
  return new Date(Math.min(wanted, now.getTime()) || now.getTime()).toISOString();
}

/**
 * The record with the repository of a request. A request that only makes a revision does not change the repository of
 * the space.
 */
function placed(
  before: GitSyncRecord | undefined,
  place: RepositoryFolder,
  shown: Shown,
  space: string,
  { standalone }: Pick<GitRequest, "standalone">,
): Omit<GitSyncRecord, "updatedAt" | "asked"> {
  if (!before) return { space, ...place, ...shown };
  if (standalone) return before;
  const { provider: _, integration: __, page: ___, treeUrl: ____, commitUrl: _____, ...rest } = before;
  return { ...(isSameFolder(before, place) ? before : rest), ...place, ...shown };
}

function shownBy({ gitInfo, repoTreeURL, repoCommitURL }: Wanted): Shown {
  return {
    ...omitUndefined({
      provider: gitInfo?.provider,
      page: gitInfo?.url === undefined ? undefined : gitInfo.url,
      treeUrl: repoTreeURL,
      commitUrl: repoCommitURL,
    }),
  };
}

/** Plain http is allowed only where the host application says so, because a password would be sent in clear text. */
function checkAllowed(url: string, { git }: Ports): void {
  const { protocol, host, hostname } = parseUrl(url);
  if (protocol === "https:" || git.plainHttpHosts.has(host) || git.plainHttpHosts.has(hostname)) return;
  throw createValidationError("body.url", "Expected a URL that begins with https://");
}

/** A folder in its normal form. */
function folderOf(path: string): string {
  return path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}
