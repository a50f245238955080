// Creates the context that the blocks of a page are rendered in, and loads what they need.

import type { Block } from "../../content/document";
import type * as Resources from "../../generated/resources";
import { ExpansionBudget, MAX_EXPANSION_CHARACTERS } from "../../utils/expansion-budget";
import type { Markup } from "../../utils/html";
import { renderLinkAttributes, sanitizeFileHref } from "../layout/links";
import type { RequestContext } from "../request/request-context";
import type { BlockRenderContext } from "./block-context";
import { type ExternalBlocks, loadExternalBlocks } from "./external-blocks";
import { FootnoteCollector } from "./footnotes";
import { detectPageFeatures, loadFeatureRenderers, type PageFeatures } from "./page-features";
import type { PageReferences } from "./references";

/** A context for blocks, and what rendering them leaves for the rest of the page. */
export interface PreparedBlocks {
  readonly blockContext: BlockRenderContext;
  /** The bodies of the footnotes that were rendered so far. */
  readonly footnotes: readonly Markup[];
  readonly externalBlocks: ExternalBlocks;
}

export async function prepareBlocks(
  context: RequestContext,
  page: Resources.PublishedPage,
  { resolveLink, resolveFile }: PageReferences,
): Promise<PreparedBlocks> {
  const nodes = (page.document?.nodes ?? []) as Block[];
  const externalBlocks = await loadExternalBlocks({ ...page, nodes }, context, { resolveFile });
  const prepared = await createBlockContext(
    context,
    detectPageFeatures(nodes),
    { resolveLink, resolveFile },
    externalBlocks.renderBlock,
  );
  return { ...prepared, externalBlocks };
}

/** Creates a context for blocks that need these features. */
export async function createBlockContext(
  context: RequestContext,
  features: PageFeatures,
  { resolveLink, resolveFile }: PageReferences,
  renderExternalBlock: ExternalBlocks["renderBlock"],
): Promise<Omit<PreparedBlocks, "externalBlocks">> {
  const { code, formula } = await loadFeatureRenderers(features);
  const footnotes = new FootnoteCollector(context.messages);
  let elementCount = 0;
  const budget = new ExpansionBudget(MAX_EXPANSION_CHARACTERS);
  const blockContext: BlockRenderContext = {
    messages: context.messages,
    budget,
    resolveLink(ref) {
      const link = resolveLink(ref);
      return link && budget.take(link.href.length) ? link : undefined;
    },
    renderLinkAttributes: (href) => renderLinkAttributes(context, href),
    resolveFile(ref) {
      const file = resolveFile(ref);
      const url = file && sanitizeFileHref(file.url);
      return url !== undefined && budget.take(url.length) ? { ...file!, url } : undefined;
    },
    renderFormula: formula,
    highlightCode: code,
    renderIcon(name) {
      const icon = context.renderIcon(name);
      return icon && budget.take(icon.text.length) ? icon : undefined;
    },
    renderExternalBlock: (block) => renderExternalBlock(block, blockContext),
    addFootnote: footnotes.add,
    createElementNumber: () => ++elementCount,
  };
  return { blockContext, footnotes: footnotes.bodies };
}
