// The languages of fenced code that are blocks of the integrations of a space. An integration declares them with its
// blocks (`markdown.codeblock`), and has them where it is installed and active. Of several that declare the same
// language, the one that was installed first has it.

import type { FencedBlock, FencedBlocks } from "../../../content/markdown/fences";
import type { LookingForFences } from "../../content/revisions/fenced-blocks";
import { activeIn, working, worksOn } from "../published/for-sites";
import { installations, placed } from "../records";

export async function fencesOfIntegrations(from: LookingForFences, space: string): Promise<FencedBlocks> {
  const fences = new Map<string, FencedBlock>();
  const { tx } = from;
  if ((await installations.total(tx, "all")) === 0) return fences;
  const active = await activeIn(tx);
  const there = await placed.getMany(
    tx,
    active.map(({ id }) => [id, "space", space]),
  );
  for (const [i, installation] of active.entries()) {
    // An integration may be in another partition, so it is read only where needed.
    const it = worksOn(installation, "space", there[i]) ? await working(from, installation) : undefined;
    for (const { id, markdown } of it?.integration.blocks ?? [])
      if (markdown && !fences.has(markdown.codeblock))
        fences.set(markdown.codeblock, { integration: installation.integration, block: id, body: markdown.body });
  }
  return fences;
}
