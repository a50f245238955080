// Runs the action of an integration block that a reader pressed. The form names the block and its page, and the page is read again
// with the token of this visitor: only components that the document contains are fetched. Anything else in the form is untrusted.
// The response is the block in its new state: on a page of its own, or as a fragment for the script of the page.

import type { Block } from "../../content/document";
import type { PlainResponse } from "../../http/plain-request";
import { html, type Markup } from "../../utils/html";
import { loadLazily } from "../../utils/lazy";
import { isJsonObject, omitUndefined } from "../../utils/objects";
import type { ElementProps } from "../integrations/elements";
import type { ComponentRequest } from "../integrations/fetch-component";
import { createPageReferences } from "../pages/block-context";
import { collectBlocks, prepareBlocks } from "../pages/prepare-blocks";
import { isSameOriginForm } from "../request/forms";
import type { RequestContext } from "../request/request-context";
import { createPlainResponse, createTextResponse } from "../responses/responses";
import { renderUtilityPage } from "../responses/utility-page";

const loadIntegrationBlocks = loadLazily(() => import("../integrations"));
const loadComponentFetcher = loadLazily(() => import("../integrations/fetch-component"));

const MAX_FORM_BYTES = 128 * 1024;
const INPUT_PREFIX = "state.";

/** A fragment runs nothing, if somebody opens it as a page. */
const FRAGMENT_HEADERS = { "content-security-policy": "sandbox; default-src 'none'" };

export async function runIntegrationAction(context: RequestContext): Promise<PlainResponse> {
  if (!isSameOriginForm(context)) return createPlainResponse(403, "This form was sent from another site.\n");
  const form = new URLSearchParams(new TextDecoder().decode(await context.request.body(MAX_FORM_BYTES)));
  const siteSpace = context.siteSpaces.find(({ id }) => id === form.get("siteSpace"));
  const pageId = form.get("page") ?? "";
  const page = siteSpace && (await context.getPage(pageId, "document", siteSpace.id));
  if (!siteSpace || !page) return createPlainResponse(404, "Page not found.\n");
  const { createComponentRequest, renderIntegrationBlock, renderModal } = await loadIntegrationBlocks();
  const { fetchComponent } = await loadComponentFetcher();
  const at = Number(form.get("at"));
  const block = collectBlocks((page.document?.nodes ?? []) as Block[]).filter((it) => it.type === "integration")[at];
  if (!block) return createPlainResponse(404, "There is no such block.\n");

  const location = { siteSpace: siteSpace.id, page: pageId, at };
  const request = createComponentRequest(block, siteSpace.space.id);
  // The state of the component: as it was, with the current values of its inputs.
  const booleans = new Set(form.getAll("bool"));
  const lists = new Set(form.getAll("list"));
  const inputs = [...form.keys()]
    .filter((name) => name.startsWith(INPUT_PREFIX))
    .map((name) => name.slice(INPUT_PREFIX.length));
  const values = [...new Set([...inputs, ...booleans, ...lists])].map((name): [string, unknown] => {
    const input = INPUT_PREFIX + name;
    if (booleans.has(name)) return [name, form.has(input)];
    return [name, lists.has(name) ? form.getAll(input) : (form.get(input) ?? "")];
  });
  const namedValues = Object.fromEntries(values.filter(([name]) => name !== ""));
  const state: ElementProps = { ...parseJsonObject(form.get("state")), ...namedValues };

  const actionTemplate = parseJsonObject(form.get("action"));
  const actionEntries = Object.entries(actionTemplate ?? {}).map(([name, value]): [string, unknown] => {
    const isReference = isJsonObject(value) && typeof value.$state === "string";
    return [name, isReference ? state[value.$state as string] : value];
  });
  const action: ElementProps | undefined =
    typeof actionTemplate?.action === "string" ? Object.fromEntries(actionEntries) : undefined;
  const { blockContext } = await prepareBlocks(context, page, createPageReferences(page.references ?? [], context));

  const renderBlock = async (changes: Partial<ComponentRequest>): Promise<Markup> => {
    const result = await fetchComponent(context, { ...request, ...changes });
    return renderIntegrationBlock(result, block, location, context, blockContext);
  };
  /** Renders the block after its modal was closed with a return value. */
  const renderClosedModal = (returnValue: unknown, blockState: ElementProps) =>
    renderBlock({ state: blockState, action: { action: "@ui.modal.close", ...omitUndefined({ returnValue }) } });
  const renderOpenModal = async (
    modal: Parameters<typeof renderModal>[2],
    changes: Partial<ComponentRequest>,
  ): Promise<Markup> => {
    const { component, props, blockState } = modal;
    const result = await fetchComponent(context, { ...request, component, props, ...changes });
    if (result.is === "complete") return renderClosedModal(result.returnValue, blockState);
    return result.is === "element"
      ? renderModal(result, location, modal, context, blockContext)
      : renderIntegrationBlock(result, block, location, context, blockContext);
  };

  let content: Markup;
  const component = form.get("component");
  const blockState = parseJsonObject(form.get("blockState")) ?? {};
  if (action?.action === "@ui.modal.open" && typeof action.componentId === "string") {
    const props = isJsonObject(action.props) ? action.props : {};
    content = await renderOpenModal({ component: action.componentId, props, blockState: state }, {});
  } else if (component === null) content = await renderBlock(action ? { state, action } : {});
  else if (action?.action === "@ui.modal.close") content = await renderClosedModal(action.returnValue, blockState);
  else {
    const props = parseJsonObject(form.get("props")) ?? {};
    content = await renderOpenModal({ component, props, blockState }, { state, action });
  }

  if (form.get("alone") === "1")
    return createTextResponse(content.text, {
      type: "text/html; charset=utf-8",
      holders: "nobody",
      headers: FRAGMENT_HEADERS,
    });
  const { title, urls } = page;
  const link =
    urls.published !== undefined &&
    html`<p><a href="${context.toLocalUrl(urls.published)}">${context.integrationMessages.back}</a></p>`;
  const main = html`<article><h1>${title}</h1>${link}${content}</article>`;
  return renderUtilityPage(context, { title, main, needsFullScript: true });
}

function parseJsonObject(text: string | null): ElementProps | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
