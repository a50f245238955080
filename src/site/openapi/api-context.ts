// The context that one block of a specification is rendered in, and the parts that all such blocks share.

import type { Block } from "../../content/document";
import {
  type DescriptionPlace,
  PLAIN_MARKDOWN,
  parseDescription,
} from "../../openapi/specifications/pages/descriptions";
import type { ResolveReference } from "../../openapi/specifications/pages/resolve-references";
import { html, type Markup, renderInlineMarkup } from "../../utils/html";
import { LruCache } from "../../utils/lru-cache";
import { tryParseUrl } from "../../utils/url";
import { renderTextAsCodeBlock } from "../blocks/code";
import { renderBlocks } from "../blocks/render-blocks";
import type { BlockRenderContext } from "../pages/block-context";
import type { ApiMessages } from "./messages";

export interface ApiContext {
  readonly resolve: ResolveReference;
  readonly blockContext: BlockRenderContext;
  readonly messages: ApiMessages;
  /** Schemas whose members are already listed, with the ids of the lists. */
  readonly listedSchemas: Map<object, string>;
  /** The number of members that may still be listed. */
  remainingMembers: number;
}

/** The most members that one block lists. */
const MAX_MEMBERS = 1500;
/** The most characters of the description of an operation or a response, and of a parameter or a member. */
const MAX_DESCRIPTION_LENGTH = 20_000;
const MAX_ITEM_DESCRIPTION_LENGTH = 2000;

export function createApiContext(
  resolve: ResolveReference,
  blockContext: BlockRenderContext,
  messages: ApiMessages,
): ApiContext {
  return {
    resolve,
    blockContext: restrictToWebReferences(blockContext),
    messages,
    listedSchemas: new Map(),
    remainingMembers: MAX_MEMBERS,
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

interface CachedDescription {
  readonly blocks: Block[];
  readonly bytes: number;
}

/** Blocks take about this many times the memory of their source. */
const BLOCKS_SIZE_FACTOR = 20;
const MAX_CACHE_BYTES = 8 * 1024 * 1024;
const descriptionCache = new LruCache<CachedDescription>(MAX_CACHE_BYTES, ({ bytes }) => bytes);

/** Renders a description in Markdown. Returns undefined if it is empty, or the budget of the page is spent. */
export function renderDescription(
  description: string | undefined,
  place: DescriptionPlace,
  { blockContext }: ApiContext,
): Markup | undefined {
  const trimmed = description?.trim() ?? "";
  const maxLength = place === "item" ? MAX_ITEM_DESCRIPTION_LENGTH : MAX_DESCRIPTION_LENGTH;
  const text = trimmed.length <= maxLength ? trimmed : `${trimmed.slice(0, maxLength).trimEnd()} …`;
  if (text === "" || !blockContext.budget.take(text.length)) return undefined;
  if (PLAIN_MARKDOWN.test(text)) return html`<p>${renderInlineMarkup(text)}</p>`;
  // Many operations have the same descriptions, and pages are rendered again, so parsed descriptions are cached.
  const key = `${place} ${text}`;
  const cached = descriptionCache.get(key) ?? {
    blocks: parseDescription(text, place),
    bytes: BLOCKS_SIZE_FACTOR * key.length + 500,
  };
  descriptionCache.set(key, cached);
  return renderBlocks(cached.blocks, blockContext);
}

/** Renders a text as a code block. */
export function renderTextAsCode(text: string, syntax: string, { blockContext }: ApiContext, title?: string): Markup {
  if (!blockContext.budget.take(text.length)) return html``;
  return renderTextAsCodeBlock(text, { syntax, title }, blockContext);
}

/** Renders the type of a parameter or a member, and notes such as `required`. */
export function renderTypeNotes(kind: string, notes: readonly string[], { messages }: ApiContext): Markup {
  const { required, deprecated, readOnly, writeOnly } = messages;
  const labels: Readonly<Record<string, string>> = {
    required,
    deprecated,
    "read-only": readOnly,
    "write-only": writeOnly,
  };
  const labeledNotes = notes.map(
    (note) => html` <span class="note-${note}">${Object.hasOwn(labels, note) ? labels[note] : note}</span>`,
  );
  return html`${kind !== "" && html` <span class="kind">${kind}</span>`}${labeledNotes}`;
}
