// Blocks of integrations on a page, and the modals that their actions open. This module is loaded for pages that have such blocks.

import type { BlockOf } from "../../content/document";
import { runWithTimeout } from "../../utils/concurrency/timeout";
import { html, type Markup } from "../../utils/html";
import { isJsonObject } from "../../utils/objects";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { restrictToWebReferences } from "../openapi/api-context";
import type { BlockRenderContext } from "../pages/block-context";
import type { RequestContext } from "../request/request-context";
import { type ElementContext, type ElementProps, renderElements } from "./elements";
import { type ComponentRequest, type ComponentResult, fetchComponent } from "./fetch-component";

export type IntegrationBlock = BlockOf<"integration">;

/** The most blocks of one page that are fetched. */
const MAX_BLOCKS = 30;
/** The time that a page waits for all its blocks together. */
const PAGE_TIMEOUT_MS = 1200;

/** The location of a block. The form of its actions contains it, so that the server finds the block again. */
export interface BlockLocation {
  readonly siteSpace: string;
  readonly page: string;
  /** The index among the page's blocks of integrations. */
  readonly at: number;
}

/** Fetches the components of the blocks of a page, and returns a function that renders them. */
export async function loadIntegrationBlocks(
  blocks: readonly IntegrationBlock[],
  context: RequestContext,
  page: string,
): Promise<{ readonly renderBlock: (block: IntegrationBlock, blockContext: BlockRenderContext) => Markup }> {
  const fetched = blocks.slice(0, MAX_BLOCKS);
  // A slow integration does not delay the page: the script of the page fetches its components later.
  const results = await Promise.all(
    fetched.map(async (block): Promise<ComponentResult> => {
      const request = createComponentRequest(block, context.siteSpace.space.id);
      return (await runWithTimeout(PAGE_TIMEOUT_MS, () => fetchComponent(context, request))) ?? { is: "late" };
    }),
  );
  const indexes = new Map(fetched.map((block, index) => [block, index]));
  return {
    renderBlock(block, blockContext) {
      const at = indexes.get(block);
      if (at === undefined) return html``;
      const location = { siteSpace: context.siteSpace.id, page, at };
      return renderIntegrationBlock(results[at]!, block, location, context, blockContext);
    },
  };
}

/** Returns the request for the component of a block, as the document describes it. */
export function createComponentRequest({ data }: IntegrationBlock, space: string): ComponentRequest {
  const { integration, block, props, url } = data!;
  return { integration, component: block, props: url === undefined ? props : { ...props, url }, space };
}

export function renderIntegrationBlock(
  result: ComponentResult,
  { data }: IntegrationBlock,
  location: BlockLocation,
  context: RequestContext,
  blockContext: BlockRenderContext,
): Markup {
  const messages = context.integrationMessages;
  switch (result.is) {
    case "absent":
    case "complete": {
      const url = tryParseUrl(data?.url ?? "");
      const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
      return isWeb ? html`<p><a href="${url.href}">${url.href}</a></p>` : html``;
    }
    case "failed":
      return html`<p class="block-note">${messages.failed}</p>`;
    case "late": {
      const button = html`<button type="submit" class="button secondary">${messages.load}</button>`;
      return renderForm(html`<p class="block-note">${button}</p>`, location, context, {}, html` data-late`);
    }
    case "element": {
      const elementContext = createElementContext(result.state, context, blockContext);
      const content = renderElements(result.element.children ?? [], elementContext);
      return renderForm(content, location, context, result.state);
    }
  }
}

function createElementContext(
  state: ElementProps,
  { url, site }: RequestContext,
  blockContext: BlockRenderContext,
): ElementContext {
  const { api, app } = site.internals.kernel.urls;
  const ownHosts = [url.host, parseUrl(api("/")).host, parseUrl(app("/")).host];
  return { blockContext: restrictToWebReferences(blockContext), state, ownHosts };
}

/** Renders a modal, which is a form of its own. Closing it sends its return value to the block that opened it. */
export function renderModal(
  { element, state }: Extract<ComponentResult, { readonly is: "element" }>,
  location: BlockLocation,
  modal: { readonly component: string; readonly props: ElementProps; readonly blockState: ElementProps },
  context: RequestContext,
  blockContext: BlockRenderContext,
): Markup {
  const messages = context.integrationMessages;
  const elementContext = createElementContext(state, context, blockContext);
  const fields = renderHiddenFields({
    component: modal.component,
    props: JSON.stringify(modal.props),
    blockState: JSON.stringify(modal.blockState),
  });
  const submit = isJsonObject(element.submit) ? renderElements([element.submit], elementContext) : undefined;
  const closeAction = JSON.stringify({ action: "@ui.modal.close" });
  const closeAttributes = html`class="button secondary" name="action" value="${closeAction}"`;
  const close = html`<button type="submit" ${closeAttributes}>${messages.close}</button>`;
  const title = typeof element.title === "string" && element.title !== "" && html`<h2>${element.title}</h2>`;
  const subtitle = typeof element.subtitle === "string" && html`<p class="quiet">${element.subtitle}</p>`;
  const children = html`<div class="stack">${renderElements(element.children ?? [], elementContext)}</div>`;
  const content = html`${fields}${title}${subtitle}${children}<p class="row">${submit}${close}</p>`;
  return renderForm(content, location, context, state, html` data-modal`);
}

function renderForm(
  content: Markup,
  { siteSpace, page, at }: BlockLocation,
  context: RequestContext,
  state: ElementProps,
  attributes?: Markup,
): Markup {
  const fields = renderHiddenFields({ siteSpace, page, at: String(at), state: JSON.stringify(state) });
  const action = context.toSiteUrl("~octavo/integration");
  return html`<form class="block-form" method="post" action="${action}" data-block${attributes}>${fields}${content}</form>`;
}

function renderHiddenFields(fields: Readonly<Record<string, string>>): Markup[] {
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}
