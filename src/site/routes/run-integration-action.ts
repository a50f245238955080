// What a reader pressed in a block of an integration. The form says which block of which page it was, and the page is read
// again: only what the document says is asked for, with the token of this visitor. The rest of the form is what anybody could
// say. The answer is the block in its new state: on a page of its own, or alone for the reader's script.

import type { Block } from "../../content/document";
import type { PlainResponse } from "../../http/plain-request";
import { html, type Markup } from "../../utils/html";
import { loadLazily } from "../../utils/lazy";
import { omitUndefined } from "../../utils/objects";
import { prepareBlocks } from "../pages/create-block-context";
import { collectBlocks } from "../pages/external-blocks";
import { createPageReferences } from "../pages/references";
import { isSameOriginForm } from "../request/forms";
import type { RequestContext } from "../request/request-context";
import { createPlainResponse, createTextResponse } from "../responses/responses";
import { renderUtilityPage } from "../responses/utility-page";

const loadBlocks = loadLazily(() => import("../integrations"));
const loadRendered = loadLazily(() => import("../integrations/fetch-component"));
const loadWords = loadLazily(() => import("../integrations/messages"));

type Members = Readonly<Record<string, unknown>>;

/** The most bytes of a form. */
const MOST_BYTES = 128 * 1024;

export async function runIntegrationAction(context: RequestContext): Promise<PlainResponse> {
  if (!isSameOriginForm(context)) return createPlainResponse(403, "This form was sent from another site.\n");
  const form = new URLSearchParams(new TextDecoder().decode(await context.request.body(MOST_BYTES)));
  const siteSpace = context.siteSpaces.find(({ id }) => id === form.get("siteSpace"));
  const pageId = form.get("page") ?? "";
  const page = siteSpace && (await context.getPage(pageId, "document", siteSpace.id));
  if (!siteSpace || !page) return createPlainResponse(404, "There is no such page.\n");
  const {
    createComponentRequest: questionOf,
    renderIntegrationBlock: drawBlock,
    renderModal: drawModal,
  } = await loadBlocks();
  const { fetchComponent: render } = await loadRendered();
  const nodes = (page.document?.nodes ?? []) as Block[];
  const at = Number(form.get("at"));
  const block = collectBlocks(nodes).filter((it) => it.type === "integration")[at];
  if (!block) return createPlainResponse(404, "There is no such block.\n");

  const location = { siteSpace: siteSpace.id, page: pageId, at };
  const question = questionOf(block, siteSpace.space.id);
  const state = readComponentState(form);
  const action = resolveActionValues(parseJsonObject(form.get("action")), state);
  const component = form.get("component");
  const { blockContext } = await prepareBlocks(context, page, createPageReferences(page.references ?? [], context));
  if (action?.action === "@ui.modal.open" && typeof action.componentId === "string") {
    const props = isMembers(action.props) ? action.props : {};
    const modal = { component: action.componentId, props, blockState: state };
    return showModal(modal, await render(context, { ...question, component: modal.component, props }));
  }
  if (component !== null) {
    const props = parseJsonObject(form.get("props")) ?? {};
    const blockState = parseJsonObject(form.get("blockState")) ?? {};
    if (action?.action === "@ui.modal.close") return closed(action.returnValue, blockState);
    const modal = { component, props, blockState };
    return showModal(modal, await render(context, { ...question, component, props, state, action }));
  }
  return shown(
    drawBlock(
      await render(context, { ...question, ...(action ? { state, action } : {}) }),
      block,
      location,
      context,
      blockContext,
    ),
  );

  async function showModal(
    modal: Parameters<typeof drawModal>[2],
    rendered: Awaited<ReturnType<typeof render>>,
  ): Promise<PlainResponse> {
    if (rendered.is === "complete") return closed(rendered.returnValue, modal.blockState);
    if (rendered.is !== "element") return shown(drawBlock(rendered, block!, location, context, blockContext));
    return shown(drawModal(rendered, location, modal, context, blockContext));
  }

  /** The block hears that its modal was closed, and with what. */
  async function closed(returnValue: unknown, blockState: Members): Promise<PlainResponse> {
    const told = { action: "@ui.modal.close", ...omitUndefined({ returnValue }) };
    const rendered = await render(context, { ...question, state: blockState, action: told });
    return shown(drawBlock(rendered, block!, location, context, blockContext));
  }

  async function shown(content: Markup): Promise<PlainResponse> {
    if (form.get("alone") === "1")
      return createTextResponse(content.text, { type: "text/html; charset=utf-8", holders: "nobody", headers: ALONE });
    const { getIntegrationMessages: blockWordsOf } = await loadWords();
    const words = blockWordsOf(context.customization.internationalization.locale);
    const back = page!.urls.published;
    const { title } = page!;
    const main = html`<article><h1>${title}</h1>${back !== undefined && html`<p><a href="${context.toLocalUrl(back)}">${words.back}</a></p>`}${content}</article>`;
    return renderUtilityPage(context, { title, main, needsFullScript: true });
  }
}

/** What comes without its page runs nothing, should somebody open it as one. */
const ALONE = { "content-security-policy": "sandbox; default-src 'none'" };

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJsonObject(text: string | null): Members | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return isMembers(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const INPUT = "state.";

/** The state of a component: as it was, with what the inputs say now. */
function readComponentState(form: URLSearchParams): Members {
  const flags = new Set(form.getAll("bool"));
  const lists = new Set(form.getAll("list"));
  const names = [...form.keys()].filter((name) => name.startsWith(INPUT)).map((name) => name.slice(INPUT.length));
  const values = [...new Set([...names, ...flags, ...lists])].map((name): [string, unknown] => {
    if (flags.has(name)) return [name, form.has(INPUT + name)];
    return [name, lists.has(name) ? form.getAll(INPUT + name) : (form.get(INPUT + name) ?? "")];
  });
  return { ...parseJsonObject(form.get("state")), ...Object.fromEntries(values.filter(([name]) => name !== "")) };
}

/** An action in which values of the state are put in. */
function resolveActionValues(action: Members | undefined, state: Members): Members | undefined {
  if (typeof action?.action !== "string") return undefined;
  const entries = Object.entries(action).map(([name, value]): [string, unknown] => {
    const isBound = isMembers(value) && typeof value.$state === "string";
    return [name, isBound ? state[value.$state as string] : value];
  });
  return Object.fromEntries(entries);
}
