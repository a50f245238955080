// The context that one block of a specification is rendered in: as the other blocks of its page, but with texts of others.

import type { Block } from "../../content/document";
import type { Messages } from "../../locales/messages";
import type { ApiRenderContext } from "../../openapi/html/context";
import { PLAIN_MARKDOWN, parseDescription, trimDescription } from "../../openapi/model/descriptions";
import { html, renderInlineMarkup } from "../../utils/html";
import { tryParseUrl } from "../../utils/url";
import { VersionedCache } from "../../utils/versioned-cache";
import { renderTextAsCodeBlock } from "../blocks/code";
import { renderBlocks } from "../blocks/render-blocks";
import { renderTabs } from "../blocks/tabs";
import type { BlockRenderContext } from "../pages/block-context";

/** The deepest level of nested members, and the most members that one block lists. */
const MAX_DEPTH = 8;
const MAX_MEMBERS = 1500;

/** Blocks take about this many times the memory of their source. */
const BLOCKS_SIZE_FACTOR = 20;
const MAX_CACHE_BYTES = 8 * 1024 * 1024;
const descriptionCache = new VersionedCache<Block[]>(MAX_CACHE_BYTES, 500);

export function createApiContext(pageContext: BlockRenderContext, messages: Messages["openapi"]): ApiRenderContext {
  const blockContext = restrictToWebReferences(pageContext);
  const { budget } = blockContext;
  return {
    messages,
    maxDepth: MAX_DEPTH,
    listedSchemas: new Map(),
    remainingMembers: MAX_MEMBERS,
    renderTitle: (text) => html`<h3>${text}</h3>`,
    renderDescription(description, place) {
      const text = trimDescription(description, place);
      if (text === "" || !budget.take(text.length)) return undefined;
      if (PLAIN_MARKDOWN.test(text)) return html`<p>${renderInlineMarkup(text)}</p>`;
      // Many operations have the same descriptions, and pages are rendered again, so parsed descriptions are cached.
      const key = `${place} ${text}`;
      let blocks = descriptionCache.get(key);
      if (!blocks) {
        blocks = parseDescription(text, place);
        descriptionCache.set(key, blocks, { bytes: BLOCKS_SIZE_FACTOR * key.length });
      }
      return renderBlocks(blocks, blockContext);
    },
    renderKind: (kind) => kind,
    renderCode: (text, syntax, title) =>
      budget.take(text.length) ? renderTextAsCodeBlock(text, { syntax, title }, blockContext) : html``,
    renderAlternatives(alternatives) {
      const panels = alternatives.map(({ label, content }) => ({ label, renderContent: () => content }));
      return renderTabs(panels, blockContext);
    },
    takeRoom: (characters) => budget.take(characters),
    createElementNumber: blockContext.createElementNumber,
  };
}

/** Returns a context for texts of others, which may only refer to URLs of the web, and not to content of the site. */
export function restrictToWebReferences(blockContext: BlockRenderContext): BlockRenderContext {
  const isLinkableUrl = (text: string): boolean => {
    const url = tryParseUrl(text);
    return url?.protocol === "https:" || url?.protocol === "http:" || url?.protocol === "mailto:";
  };
  return {
    ...blockContext,
    resolveLink: (ref) =>
      ref.kind === "url" && isLinkableUrl(ref.url) ? { href: ref.url, title: ref.url } : undefined,
    resolveFile: (ref) => (ref.kind === "url" && isLinkableUrl(ref.url) ? { url: ref.url, name: ref.url } : undefined),
    renderFormula: (text) => html`<code>${text}</code>`,
    renderExternalBlock: () => html``,
  };
}
