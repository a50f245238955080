// Sets the scene of a page: finds everything that its blocks are drawn with.

import type { Block } from "../../content/document";
import type * as Resources from "../../generated/resources";
import { ExpansionBudget, MAX_EXPANSION_CHARACTERS } from "../../utils/expansion-budget";
import type { Markup } from "../../utils/html";
import { renderLinkAttributes, sanitizeFileHref } from "../layout/links";
import type { RequestContext } from "../request/request-context";
import type { BlockContext } from "./block-context";
import { type ExternalBlocks, loadExternalBlocks } from "./external-blocks";
import { FootnoteCollector } from "./footnotes";
import { findPageFeatures, loadFeatureRenderers, type PageFeatures } from "./page-features";
import type { PageReferences } from "./references";

/** A scene, and what drawing in it leaves for the rest of the page. */
export interface PreparedBlocks {
  readonly blockContext: BlockContext;
  /** The bodies of notes. */
  readonly footnotes: readonly Markup[];
  readonly externalBlocks: ExternalBlocks;
}

export async function prepareBlocks(
  context: RequestContext,
  page: Resources.PublishedPage,
  { resolveLink, resolveFile }: PageReferences,
): Promise<PreparedBlocks> {
  const nodes = (page.document?.nodes ?? []) as Block[];
  const others = await loadExternalBlocks({ ...page, nodes }, context, { resolveFile });
  return {
    ...(await createBlockContext(context, findPageFeatures(nodes), { resolveLink, resolveFile }, others.renderBlock)),
    externalBlocks: others,
  };
}

/** A scene for blocks with these needs. */
export async function createBlockContext(
  context: RequestContext,
  needs: PageFeatures,
  { resolveLink, resolveFile }: PageReferences,
  draw: ExternalBlocks["renderBlock"],
): Promise<Omit<PreparedBlocks, "externalBlocks">> {
  const { code, formula } = await loadFeatureRenderers(needs);
  const notes = new FootnoteCollector(context.messages);
  let last = 0;
  const budget = new ExpansionBudget(MAX_EXPANSION_CHARACTERS);
  const blockContext: BlockContext = {
    messages: context.messages,
    budget,
    resolveLink(ref) {
      const found = resolveLink(ref);
      return found && budget.take(found.href.length) ? found : undefined;
    },
    renderLinkAttributes: (href) => renderLinkAttributes(context, href),
    resolveFile(ref) {
      const found = resolveFile(ref);
      const url = found && sanitizeFileHref(found.url);
      return url !== undefined && budget.take(url.length) ? { ...found!, url } : undefined;
    },
    renderFormula: formula,
    highlightCode: code,
    renderIcon(name) {
      const icon = context.renderIcon(name);
      return icon && budget.take(icon.text.length) ? icon : undefined;
    },
    renderExternalBlock: (block) => draw(block, blockContext),
    addFootnote: notes.add,
    createElementNumber: () => ++last,
  };
  return { blockContext, footnotes: notes.bodies };
}
