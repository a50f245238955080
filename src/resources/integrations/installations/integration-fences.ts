// The languages of fenced code that are blocks of the integrations of a space. An integration declares them with its
// blocks (`markdown.codeblock`), and has them where it is installed and active. Of several that declare the same
// language, the one that was installed first has it.

import type { FencedBlock, FencedBlocks } from "../../../content/markdown/fences";
import { loadLazily } from "../../../utils/lazy";
import type { FencesContext } from "../../content/revisions/fenced-blocks";
import { installations } from "../records";

const loadAtWork = loadLazily(() => import("./active-integrations"));

export async function listIntegrationFences(from: FencesContext, space: string): Promise<FencedBlocks> {
  const fences = new Map<string, FencedBlock>();
  if ((await installations.total(from.tx, "all")) === 0) return fences;
  const { listActiveIntegrations: atWorkOn, reloadActiveIntegrations: readAgain } = await loadAtWork();
  const known = await atWorkOn(from, "space", space);
  const declaring = known.filter(({ integration }) => integration.blocks.some(({ markdown }) => markdown));
  for (const { integration } of await readAgain(from, "space", space, declaring))
    for (const { id, markdown } of integration.blocks)
      if (markdown && !fences.has(markdown.codeblock))
        fences.set(markdown.codeblock, { integration: integration.name, block: id, body: markdown.body });
  return fences;
}
