// Texts that a merge wrote, with what is derived from them. Links are resolved again at their present place. But a link
// that came from theirs leads where it led there, whatever is at its path in ours.

import type { Batch, PendingText } from "../revision/batch";
import type { Draft } from "../revision/draft";
import { keys, type LinkEntry } from "../revision/entries";
import { checkLinkTargets } from "../revision/link-health";
import { indexPendingTexts, reuseIndexedText } from "../revision/texts";
import type { RevisionView } from "../revision/view";
import { type NewText, type Tools, turn } from "./bodies";

/** Texts that wait until everything is in its place. */
export type MergedTexts = Map<string, NewText & Pick<PendingText, "kind">>;

/** Writes texts and their links. */
export async function indexTexts(draft: Draft, texts: MergedTexts, theirs: RevisionView, tools: Tools): Promise<void> {
  const mdBook = async (view: RevisionView) => (await view.get(keys.mdBook)) !== undefined;
  // In such a book, files that a text includes are links of it. So the links of theirs do not do if only one of the two is one.
  const areLinksKnown = (await mdBook(draft)) === (await mdBook(theirs));
  for (const [id, waiting] of texts) {
    await turn(tools);
    const known = new Set((await draft.getLinks(id)).map(({ href }) => href));
    const links = await theirs.getLinks(id);
    if ("body" in waiting && areLinksKnown)
      await reuseIndexedText(batchOf(draft, tools), id, { ...waiting, links, view: theirs });
    else {
      const text = "text" in waiting ? waiting.text : await tools.readText(waiting.body);
      await indexPendingTexts(batchOf(draft, tools, new Map([[id, { text, kind: waiting.kind, index: 0 }]])));
    }
    const brought = links.filter(({ href, to }) => !known.has(href) && !to.startsWith("n:"));
    if (brought.length > 0) await repoint(draft, id, new Map(brought.map((link) => [link.href, link])));
    await draft.flushIfFull();
  }
}

function batchOf(draft: Draft, tools: Tools, texts: Batch["pendingTexts"] = new Map()): Batch {
  const nothing = async () => undefined;
  return {
    draft,
    tools: { ...tools, findRevision: nothing, newId: () => "" },
    index: 0,
    refs: new Map(),
    pendingTexts: texts,
    outcomes: [],
    insertedFiles: [],
  };
}

/** Keeps the known targets of links, if they still exist. */
async function repoint(draft: Draft, source: string, known: ReadonlyMap<string, LinkEntry>): Promise<void> {
  const links = await draft.getLinks(source);
  const wanted = links.map(({ href, to }) => {
    const link = known.get(href);
    return link && link.to !== to ? link : undefined;
  });
  const health = await checkLinkTargets(
    draft,
    wanted.map((link, n) => link?.to ?? links[n]!.to),
  );
  for (const [n, link] of wanted.entries()) {
    if (!link || health[n] === "broken") continue;
    const { path: _, ...before } = links[n]!;
    draft.put(keys.link(source, n), { ...before, to: link.to, ref: link.ref });
    draft.delete(keys.incomingLink(before.to, source, n));
    draft.put(keys.incomingLink(link.to, source, n), 0);
    await count(draft, before.to, -1);
    await count(draft, link.to, 1);
  }
}

async function count(draft: Draft, target: string, amount: number): Promise<void> {
  const total = (((await draft.get(keys.linkCount(target))) as number | undefined) ?? 0) + amount;
  if (total > 0) draft.put(keys.linkCount(target), total);
  else draft.delete(keys.linkCount(target));
}
