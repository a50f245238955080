// What is wrong in one space: its links, its pages and its synchronization.

import type { Resources } from "octavo";
import type { Connection } from "../../connection/connection";
import { failed } from "../../connection/connection";
import { CommandFailed, STATUS } from "../../framework/errors";
import type { Terminal } from "../../framework/terminal";
import { atOnce } from "./at-once";
import type { Finding } from "./finding";

const AT_ONCE = 4;

/** Tells every finding, and gives the number of pages that were read. */
export async function checkSpace(
  connection: Connection,
  space: Resources.Space,
  terminal: Terminal,
  found: (finding: Finding) => void,
): Promise<number> {
  const params = { spaceId: space.id };
  const { pages } = await connection.ask("listPages", { params });
  const all = flat(pages);
  for (const page of all.filter((it) => it.type === "computed" && it.pages.length === 0))
    found({
      kind: "computed-page",
      space: space.id,
      where: page.path,
      reason: "Nothing is computed below this page: its source is missing, or it failed.",
    });
  await checkLinks(connection, space.id, found);
  const texts = all.filter(({ type }) => type === "document");
  await readPages(connection, space, texts, terminal, found);
  if (space.gitSync) await checkGit(connection, space.id, found);
  return texts.length;
}

function flat(pages: readonly Resources.PageInTree[]): Resources.PageInTree[] {
  return pages.flatMap((page) => [page, ...flat(page.pages)]);
}

async function checkLinks({ each }: Connection, spaceId: string, found: (it: Finding) => void): Promise<void> {
  for await (const link of each("listSpaceLinks", { params: { spaceId } })) {
    if (link.status !== "broken") continue;
    const places = link.locationReferences.map(placeOf);
    for (const where of new Set(places))
      found({
        kind: "broken-link",
        space: spaceId,
        where,
        reason: `It links to ${targetOf(link)}, which is not there.`,
      });
  }
}

function placeOf(reference: Resources.ContentReference): string {
  if (reference.kind === "page") return reference.page.path;
  return reference.kind === "reusable-content" ? reference.reusableContent.title : "";
}

function targetOf({ targetReference: target }: Resources.ContentLink): string {
  if (target.kind === "url") return target.url;
  if (target.kind === "page") {
    const { page, internalLocation: at } = target;
    return at?.type === "anchor" ? `${page.path}#${at.anchor}` : page.path;
  }
  return target.kind === "file" ? target.file.name : `a ${target.kind}`;
}

/** Reads every page as a renderer would, with its variables, conditions and reusable contents in place. */
async function readPages(
  connection: Connection,
  space: Resources.Space,
  pages: readonly Resources.PageInTree[],
  terminal: Terminal,
  found: (finding: Finding) => void,
): Promise<void> {
  const progress = terminal.progress(`pages of ${space.title}`, pages.length);
  let done = 0;
  await atOnce(pages, AT_ONCE, async (page) => {
    const input = {
      params: { spaceId: space.id, pageId: page.id },
      query: { format: "document", evaluated: "true" },
    } as const;
    const result = await connection.call("getPage", input);
    // A server that is away is no fault of the page.
    if (!result.ok && failed(result.error).status === STATUS.unreachable) throw failed(result.error);
    if (!result.ok) found({ kind: "page", space: space.id, where: page.path, reason: result.error.message });
    else if (result.value.document === undefined)
      found({ kind: "page", space: space.id, where: page.path, reason: "It has no text." });
    progress.at(++done);
  });
  progress.end();
}

async function checkGit({ ask }: Connection, spaceId: string, found: (it: Finding) => void): Promise<void> {
  const info = await ask("getGitInfo", { params: { spaceId } }).catch((error: unknown) => {
    if (error instanceof CommandFailed && error.reason === "git_sync_not_found") return undefined;
    throw error;
  });
  if (!info) return;
  const { lastRun, conflicts, url } = info;
  if (lastRun?.error !== undefined || lastRun?.status === "failed") {
    const why = lastRun.error ?? "no reason was given.";
    found({ kind: "git", space: spaceId, where: url, reason: `The last ${lastRun.direction} failed: ${why}` });
  }
  if (conflicts && conflicts.count > 0)
    found({
      kind: "git",
      space: spaceId,
      where: url,
      reason: `${conflicts.count} changes of the repository contradict those of the space, which kept its own.`,
    });
}
