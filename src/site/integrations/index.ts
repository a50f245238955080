// Blocks of integrations on a page, and what happens when a reader presses something in one. Loaded when a page has one.

import type { BlockOf } from "../../content/document";
import { html, type Markup } from "../../utils/html";
import { parseUrl, tryParseUrl } from "../../utils/url";
import { withoutDocument } from "../openapi/drawing";
import type { RenderContext } from "../scene";
import type { Visit } from "../visit";
import { elements, isMembers, type Kit, type Members } from "./elements";
import { type Question, type Rendered, renderInTime } from "./rendered";
import { blockWordsOf } from "./words";

export type IntegrationBlock = BlockOf<"integration">;

/** The most blocks of one page that are asked for. */
const MOST_BLOCKS = 30;

/** Where a block stands: what the form of its actions says, so that the server finds it again. */
export interface Standing {
  readonly siteSpace: string;
  readonly page: string;
  /** Which of the page's blocks of integrations it is. */
  readonly at: number;
}

/** Asks for the blocks of a page, and draws them. */
export async function lookUpBlocks(
  blocks: readonly IntegrationBlock[],
  visit: Visit,
  page: string,
): Promise<{ readonly draw: (block: IntegrationBlock, scene: RenderContext) => Markup }> {
  const asked = blocks.slice(0, MOST_BLOCKS);
  const rendered = await renderInTime(
    visit,
    asked.map((block) => questionOf(block, visit.siteSpace.space.id)),
  );
  const found = new Map(asked.map((block, at) => [block, { at, rendered: rendered[at]! }]));
  return {
    draw(block, scene) {
      const it = found.get(block);
      if (!it) return html``;
      return drawBlock(it.rendered, block, { siteSpace: visit.siteSpace.id, page, at: it.at }, visit, scene);
    },
  };
}

/** What is asked for a block, as the document says it. */
export function questionOf({ data }: IntegrationBlock, space: string): Question {
  const { integration, block, props, url } = data!;
  return { integration, component: block, props: url === undefined ? props : { ...props, url }, space };
}

export function drawBlock(
  rendered: Rendered,
  { data }: IntegrationBlock,
  standing: Standing,
  visit: Visit,
  scene: RenderContext,
): Markup {
  const words = blockWordsOf(visit.look.internationalization.locale);
  switch (rendered.is) {
    case "absent":
    case "complete": {
      const url = tryParseUrl(data?.url ?? "");
      const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
      return isWeb ? html`<p><a href="${url.href}">${url.href}</a></p>` : html``;
    }
    case "failed":
      return html`<p class="block-note">${words.failed}</p>`;
    case "late": {
      const button = html`<p class="block-note"><button type="submit" class="button secondary">${words.load}</button></p>`;
      return formOf(button, standing, visit, {}, html` data-late`);
    }
    case "element":
      return formOf(inside(rendered.element, rendered.state, visit, scene), standing, visit, rendered.state);
  }
}

/** What an element of the root has in it. */
function inside(element: Members, state: Members, visit: Visit, scene: RenderContext): Markup {
  return elements(element.children ?? [], kitOf(state, visit, scene));
}

function kitOf(state: Members, { url, house }: Visit, scene: RenderContext): Kit {
  const { api, app } = house.inside.kernel.urls;
  const ownHosts = [url.host, parseUrl(api("/")).host, parseUrl(app("/")).host];
  return { scene: withoutDocument(scene), state, ownHosts };
}

/** A modal, which is a form of its own. What is pressed in it comes back to its block when it is closed. */
export function drawModal(
  { element, state }: Extract<Rendered, { readonly is: "element" }>,
  standing: Standing,
  modal: { readonly component: string; readonly props: Members; readonly blockState: Members },
  visit: Visit,
  scene: RenderContext,
): Markup {
  const words = blockWordsOf(visit.look.internationalization.locale);
  const kit = kitOf(state, visit, scene);
  const title = typeof element.title === "string" ? element.title : "";
  const hidden = html`<input type="hidden" name="component" value="${modal.component}"><input type="hidden" name="props" value="${JSON.stringify(modal.props)}"><input type="hidden" name="blockState" value="${JSON.stringify(modal.blockState)}">`;
  const submit = isMembers(element.submit) ? elements([element.submit], kit) : undefined;
  const close = html`<button type="submit" class="button secondary" name="action" value="${JSON.stringify({ action: "@ui.modal.close" })}">${words.close}</button>`;
  const content = html`${hidden}${title !== "" && html`<h2>${title}</h2>`}${typeof element.subtitle === "string" && html`<p class="quiet">${element.subtitle}</p>`}<div class="stack">${elements(element.children ?? [], kit)}</div><p class="row">${submit}${close}</p>`;
  return formOf(content, standing, visit, state, html` data-modal`);
}

function formOf(
  content: Markup,
  { siteSpace, page, at }: Standing,
  visit: Visit,
  state: Members,
  more?: Markup,
): Markup {
  const hidden = { siteSpace, page, at: String(at), state: JSON.stringify(state) };
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form class="block-form" method="post" action="${visit.own("~octavo/integration")}" data-block${more}>${fields}${content}</form>`;
}
