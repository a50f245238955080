// Checks one space: its links, its pages and its Git synchronization.

import type { Resources } from "octavo";
import { type ApiConnection, createCommandError } from "../../connection/connection";
import { flattenPageTree } from "../../content/page-tree";
import { CommandError, STATUS } from "../../framework/command";
import type { Terminal } from "../../framework/terminal";
import type { CheckFinding } from "./finding";

/** The number of pages that are read at the same time. */
const CONCURRENCY = 4;

type OnFinding = (finding: CheckFinding) => void;

/** Checks a space, reports every finding, and returns the number of pages that were read. */
export async function checkSpace(
  connection: ApiConnection,
  space: Resources.Space,
  terminal: Terminal,
  onFinding: OnFinding,
): Promise<number> {
  const { pages } = await connection.ask("listPages", { params: { spaceId: space.id } });
  const allPages = flattenPageTree(pages);
  for (const page of allPages)
    if (page.type === "computed" && page.pages.length === 0)
      onFinding({
        kind: "computed-page",
        space: space.id,
        where: page.path,
        reason: "This computed page has no content: its source is missing or failed.",
      });
  for await (const link of connection.each("listSpaceLinks", { params: { spaceId: space.id } })) {
    if (link.status !== "broken") continue;
    const locations = link.locationReferences.map((reference) => {
      if (reference.kind === "page") return reference.page.path;
      return reference.kind === "reusable-content" ? reference.reusableContent.title : "";
    });
    const target = link.targetReference;
    let targetName =
      target.kind === "url" ? target.url : target.kind === "file" ? target.file.name : `a ${target.kind}`;
    if (target.kind === "page") {
      const anchor = target.internalLocation?.type === "anchor" ? `#${target.internalLocation.anchor}` : "";
      targetName = target.page.path + anchor;
    }
    const reason = `It links to ${targetName}, which doesn't exist.`;
    for (const where of new Set(locations)) onFinding({ kind: "broken-link", space: space.id, where, reason });
  }
  const documents = allPages.filter(({ type }) => type === "document");
  await checkPages(connection, space, documents, terminal, onFinding);

  const git = !space.gitSync
    ? undefined
    : await connection.ask("getGitInfo", { params: { spaceId: space.id } }).catch((error: unknown) => {
        if (error instanceof CommandError && error.reason === "git_sync_not_found") return undefined;
        throw error;
      });
  if (git) {
    const { lastRun, conflicts, url } = git;
    if (lastRun?.error !== undefined || lastRun?.status === "failed") {
      const cause = lastRun.error ?? "unknown reason.";
      onFinding({ kind: "git", space: space.id, where: url, reason: `The last ${lastRun.direction} failed: ${cause}` });
    }
    if (conflicts && conflicts.count > 0)
      onFinding({
        kind: "git",
        space: space.id,
        where: url,
        reason: `${conflicts.count} changes in the repository conflict with the space, which kept its own version.`,
      });
  }
  return documents.length;
}

/** Reads every page as a renderer would, with its variables, conditions and reusable contents in place. */
async function checkPages(
  connection: ApiConnection,
  space: Resources.Space,
  pages: readonly Resources.PageInTree[],
  terminal: Terminal,
  onFinding: OnFinding,
): Promise<void> {
  const progress = terminal.progress(`pages of ${space.title}`, pages.length);
  let done = 0;
  let next = 0;
  const runWorker = async () => {
    while (next < pages.length) {
      const page = pages[next++]!;
      const result = await connection.call("getPage", {
        params: { spaceId: space.id, pageId: page.id },
        query: { format: "document", evaluated: "true" },
      } as const);
      if (!result.ok) {
        // An unreachable server is no fault of the page, and ends the check.
        const error = createCommandError(result.error);
        if (error.status === STATUS.unreachable) throw error;
        onFinding({ kind: "page", space: space.id, where: page.path, reason: result.error.message });
      } else if (result.value.document === undefined)
        onFinding({ kind: "page", space: space.id, where: page.path, reason: "It has no content." });
      progress.at(++done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, pages.length) }, runWorker));
  progress.end();
}
