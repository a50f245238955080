// The languages of fenced code that are blocks of the integrations of a space. An integration declares them with its
// blocks (`markdown.codeblock`), and has them where it is installed and active. Of several that declare the same
// language, the one that was installed first has it.

import type { FencedBlock, FencedBlocks } from "../../../content/markdown/fences";
import { loadLazily } from "../../../utils/lazy";
import type { FencesContext } from "../../content/revisions/fenced-blocks";
import { installations } from "../records";

const loadActiveIntegrations = loadLazily(() => import("./active-integrations"));

/** Returns the blocks of the integrations of a space that are written as fenced code, by their language. */
export async function listIntegrationFences(context: FencesContext, spaceId: string): Promise<FencedBlocks> {
  const fences = new Map<string, FencedBlock>();
  if ((await installations.total(context.tx, "all")) === 0) return fences;
  const { listActiveIntegrations, reloadActiveIntegrations } = await loadActiveIntegrations();
  const cached = await listActiveIntegrations(context, "space", spaceId);
  const declaring = cached.filter(({ integration }) => integration.blocks.some(({ markdown }) => markdown));
  for (const { integration } of await reloadActiveIntegrations(context, "space", spaceId, declaring))
    for (const { id, markdown } of integration.blocks)
      if (markdown && !fences.has(markdown.codeblock))
        fences.set(markdown.codeblock, { integration: integration.name, block: id, body: markdown.body });
  return fences;
}
