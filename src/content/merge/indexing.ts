// Texts that a merge wrote, with what is derived from them. Links are resolved again at their present place. But a link
// that came from theirs leads where it led there, whatever is at its path in ours.

import type { Batch, WaitingText } from "../revision/batch";
import type { Draft } from "../revision/draft";
import { keys, type LinkEntry } from "../revision/entries";
import { healthOf } from "../revision/health";
import { bringText, finishTexts } from "../revision/texts";
import type { View } from "../revision/view";
import { type NewText, type Tools, turn } from "./bodies";

/** Texts that wait until everything is in its place. */
export type MergedTexts = Map<string, NewText & Pick<WaitingText, "of">>;

/** Writes texts and their links. */
export async function indexTexts(draft: Draft, texts: MergedTexts, theirs: View, tools: Tools): Promise<void> {
  const mdBook = async (view: View) => (await view.get(keys.mdBook)) !== undefined;
  // In such a book, files that a text includes are links of it. So the links of theirs do not do if only one of the two is one.
  const areLinksKnown = (await mdBook(draft)) === (await mdBook(theirs));
  for (const [id, waiting] of texts) {
    await turn(tools);
    const known = new Set((await draft.linksOf(id)).map(({ href }) => href));
    const links = await theirs.linksOf(id);
    if ("body" in waiting && areLinksKnown)
      await bringText(batchOf(draft, tools), id, { ...waiting, links, from: theirs });
    else {
      const text = "text" in waiting ? waiting.text : await tools.text(waiting.body);
      await finishTexts(batchOf(draft, tools, new Map([[id, { text, of: waiting.of, index: 0 }]])));
    }
    const brought = links.filter(({ href, to }) => !known.has(href) && !to.startsWith("n:"));
    if (brought.length > 0) await repoint(draft, id, new Map(brought.map((link) => [link.href, link])));
    await draft.relieve();
  }
}

function batchOf(draft: Draft, tools: Tools, texts: Batch["texts"] = new Map()): Batch {
  const nothing = async () => undefined;
  return {
    draft,
    tools: { ...tools, revision: nothing, newId: () => "" },
    index: 0,
    refs: new Map(),
    texts,
    outcomes: [],
    insertedFiles: [],
  };
}

/** Keeps the known targets of links, if they still exist. */
async function repoint(draft: Draft, source: string, known: ReadonlyMap<string, LinkEntry>): Promise<void> {
  const links = await draft.linksOf(source);
  const wanted = links.map(({ href, to }) => {
    const link = known.get(href);
    return link && link.to !== to ? link : undefined;
  });
  const health = await healthOf(
    draft,
    wanted.map((link, n) => link?.to ?? links[n]!.to),
  );
  for (const [n, link] of wanted.entries()) {
    if (!link || health[n] === "broken") continue;
    const { path: _, ...before } = links[n]!;
    draft.put(keys.link(source, n), { ...before, to: link.to, ref: link.ref });
    draft.delete(keys.incoming(before.to, source, n));
    draft.put(keys.incoming(link.to, source, n), 0);
    await count(draft, before.to, -1);
    await count(draft, link.to, 1);
  }
}

async function count(draft: Draft, target: string, amount: number): Promise<void> {
  const total = (((await draft.get(keys.target(target))) as number | undefined) ?? 0) + amount;
  if (total > 0) draft.put(keys.target(target), total);
  else draft.delete(keys.target(target));
}
