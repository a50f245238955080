// Blocks of integrations on a page, and what happens when a reader presses something in one. Loaded when a page has one.

import type { BlockOf } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { withoutSiteReferences } from "../openapi/api-context";
import type { BlockContext } from "../pages/block-context";
import type { RequestContext } from "../request/request-context";
import { type ElementContext, type ElementProps, isPropsObject, renderElements } from "./elements";
import { type ComponentRequest, type ComponentResult, fetchComponentsInTime } from "./fetch-component";
import { getIntegrationMessages } from "./messages";

export type IntegrationBlock = BlockOf<"integration">;

/** The most blocks of one page that are asked for. */
const MOST_BLOCKS = 30;

/** Where a block stands: what the form of its actions says, so that the server finds it again. */
export interface BlockLocation {
  readonly siteSpace: string;
  readonly page: string;
  /** Which of the page's blocks of integrations it is. */
  readonly at: number;
}

/** Asks for the blocks of a page, and draws them. */
export async function loadIntegrationBlocks(
  blocks: readonly IntegrationBlock[],
  context: RequestContext,
  page: string,
): Promise<{ readonly draw: (block: IntegrationBlock, blockContext: BlockContext) => Markup }> {
  const asked = blocks.slice(0, MOST_BLOCKS);
  const rendered = await fetchComponentsInTime(
    context,
    asked.map((block) => createComponentRequest(block, context.siteSpace.space.id)),
  );
  const found = new Map(asked.map((block, at) => [block, { at, rendered: rendered[at]! }]));
  return {
    draw(block, blockContext) {
      const it = found.get(block);
      if (!it) return html``;
      return renderIntegrationBlock(
        it.rendered,
        block,
        { siteSpace: context.siteSpace.id, page, at: it.at },
        context,
        blockContext,
      );
    },
  };
}

/** What is asked for a block, as the document says it. */
export function createComponentRequest({ data }: IntegrationBlock, space: string): ComponentRequest {
  const { integration, block, props, url } = data!;
  return { integration, component: block, props: url === undefined ? props : { ...props, url }, space };
}

export function renderIntegrationBlock(
  rendered: ComponentResult,
  { data }: IntegrationBlock,
  location: BlockLocation,
  context: RequestContext,
  blockContext: BlockContext,
): Markup {
  const messages = getIntegrationMessages(context.customization.internationalization.locale);
  switch (rendered.is) {
    case "absent":
    case "complete": {
      const url = tryParseUrl(data?.url ?? "");
      const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
      return isWeb ? html`<p><a href="${url.href}">${url.href}</a></p>` : html``;
    }
    case "failed":
      return html`<p class="block-note">${messages.failed}</p>`;
    case "late": {
      const button = html`<p class="block-note"><button type="submit" class="button secondary">${messages.load}</button></p>`;
      return renderForm(button, location, context, {}, html` data-late`);
    }
    case "element":
      return renderForm(
        renderRoot(rendered.element, rendered.state, context, blockContext),
        location,
        context,
        rendered.state,
      );
  }
}

/** What an element of the root has in it. */
function renderRoot(
  element: ElementProps,
  state: ElementProps,
  context: RequestContext,
  blockContext: BlockContext,
): Markup {
  return renderElements(element.children ?? [], createElementContext(state, context, blockContext));
}

function createElementContext(
  state: ElementProps,
  { url, site }: RequestContext,
  blockContext: BlockContext,
): ElementContext {
  const { api, app } = site.internals.kernel.urls;
  const ownHosts = [url.host, parseUrl(api("/")).host, parseUrl(app("/")).host];
  return { blockContext: withoutSiteReferences(blockContext), state, ownHosts };
}

/** A modal, which is a form of its own. What is pressed in it comes back to its block when it is closed. */
export function renderModal(
  { element, state }: Extract<ComponentResult, { readonly is: "element" }>,
  location: BlockLocation,
  modal: { readonly component: string; readonly props: ElementProps; readonly blockState: ElementProps },
  context: RequestContext,
  blockContext: BlockContext,
): Markup {
  const messages = getIntegrationMessages(context.customization.internationalization.locale);
  const elementContext = createElementContext(state, context, blockContext);
  const title = typeof element.title === "string" ? element.title : "";
  const hidden = html`<input type="hidden" name="component" value="${modal.component}"><input type="hidden" name="props" value="${JSON.stringify(modal.props)}"><input type="hidden" name="blockState" value="${JSON.stringify(modal.blockState)}">`;
  const submit = isPropsObject(element.submit) ? renderElements([element.submit], elementContext) : undefined;
  const close = html`<button type="submit" class="button secondary" name="action" value="${JSON.stringify({ action: "@ui.modal.close" })}">${messages.close}</button>`;
  const content = html`${hidden}${title !== "" && html`<h2>${title}</h2>`}${typeof element.subtitle === "string" && html`<p class="quiet">${element.subtitle}</p>`}<div class="stack">${renderElements(element.children ?? [], elementContext)}</div><p class="row">${submit}${close}</p>`;
  return renderForm(content, location, context, state, html` data-modal`);
}

function renderForm(
  content: Markup,
  { siteSpace, page, at }: BlockLocation,
  context: RequestContext,
  state: ElementProps,
  more?: Markup,
): Markup {
  const hidden = { siteSpace, page, at: String(at), state: JSON.stringify(state) };
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form class="block-form" method="post" action="${context.toSiteUrl("~octavo/integration")}" data-block${more}>${fields}${content}</form>`;
}
