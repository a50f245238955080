// Writes the texts that a merge created, and everything derived from them. Links are resolved again from the new place of their text.
// But a link of theirs keeps the target that it has there, whatever is at its path in ours.

import type { Batch, PendingText } from "../revision/batch";
import type { Draft } from "../revision/draft";
import { keys } from "../revision/entries";
import { checkLinkTargets } from "../revision/link-health";
import { indexPendingTexts, reuseIndexedText } from "../revision/texts";
import type { RevisionView } from "../revision/view";
import { type MergeTools, type NewText, yieldToOthers } from "./bodies";

/** The texts of a merge, by id. They are written when everything is in its place. */
export type MergedTexts = Map<string, NewText & Pick<PendingText, "kind">>;

/** Writes texts and their links. */
export async function indexMergedTexts(
  draft: Draft,
  texts: MergedTexts,
  theirs: RevisionView,
  tools: MergeTools,
): Promise<void> {
  // In a book of mdBook, the files that a text includes are links of it. So the links of theirs are only valid if both or neither
  // of the revisions is such a book.
  const isMdBook = async (view: RevisionView) => (await view.get(keys.mdBook)) !== undefined;
  const areTheirLinksValid = (await isMdBook(draft)) === (await isMdBook(theirs));
  const batch: Batch = {
    draft,
    tools: { ...tools, findRevision: async () => undefined, newId: () => "" },
    index: 0,
    refs: new Map(),
    pendingTexts: new Map(),
    outcomes: [],
    insertedFiles: [],
  };
  for (const [id, text] of texts) {
    await yieldToOthers(tools);
    const knownHrefs = new Set((await draft.getLinks(id)).map(({ href }) => href));
    const links = await theirs.getLinks(id);
    if ("body" in text && areTheirLinksValid) await reuseIndexedText(batch, id, { ...text, links, view: theirs });
    else {
      const content = "text" in text ? text.text : await tools.readText(text.body);
      batch.pendingTexts.clear();
      batch.pendingTexts.set(id, { text: content, kind: text.kind, index: 0 });
      await indexPendingTexts(batch);
    }

    // New links get the targets that they have in theirs, if these still exist.
    const newLinks = links.filter(({ href, to }) => !knownHrefs.has(href) && !to.startsWith("n:"));
    if (newLinks.length > 0) {
      const theirLinks = new Map(newLinks.map((link) => [link.href, link]));
      const indexedLinks = await draft.getLinks(id);
      const replacements = indexedLinks.map(({ href, to }) => {
        const known = theirLinks.get(href);
        return known && known.to !== to ? known : undefined;
      });
      const targets = indexedLinks.map((link, n) => replacements[n]?.to ?? link.to);
      const health = await checkLinkTargets(draft, targets);
      for (const [n, replacement] of replacements.entries()) {
        if (!replacement || health[n] === "broken") continue;
        const { path: _, ...link } = indexedLinks[n]!;
        draft.put(keys.link(id, n), { ...link, to: replacement.to, ref: replacement.ref });
        draft.delete(keys.incomingLink(link.to, id, n));
        draft.put(keys.incomingLink(replacement.to, id, n), 0);
        for (const [target, amount] of [
          [link.to, -1],
          [replacement.to, 1],
        ] as const) {
          const count = (((await draft.get(keys.linkCount(target))) as number | undefined) ?? 0) + amount;
          if (count > 0) draft.put(keys.linkCount(target), count);
          else draft.delete(keys.linkCount(target));
        }
      }
    }
    await draft.flushIfFull();
  }
}
