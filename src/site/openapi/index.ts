// Blocks that a specification of an API describes. Loaded when a page has one.

import type { Block } from "../../content/document";
import { type Operation, parametersOf } from "../../openapi/specifications/pages/operation";
import { operationAt } from "../../openapi/specifications/pages/operations";
import { member } from "../../openapi/specifications/pages/pointers";
import { serversOf } from "../../openapi/specifications/pages/servers";
import { html, type Markup } from "../../utils/html";
import type { BlockContext } from "../pages/block-context";
import type { OutlineHeading } from "../pages/outline";
import type { PageReferences } from "../pages/references";
import type { RequestContext } from "../request/request-context";
import { buildApiCall } from "./api-call";
import { createApiContext } from "./api-context";
import { loadSpecification, type Specification } from "./load-specification";
import { getApiMessages } from "./messages";
import { renderOperation, renderRequestLine, renderSchemas } from "./operation";
import { getCallableOrigin, listServerUrls } from "./server-urls";
import { renderTryItForm } from "./try-it";

export type ApiBlock = Extract<
  Block,
  { readonly type: "openapi-operation" | "swagger" | "openapi-schemas" | "openapi-webhook" }
>;

const TYPES = new Set<Block["type"]>(["openapi-operation", "swagger", "openapi-schemas", "openapi-webhook"]);

export function isApiBlock(block: Block): block is ApiBlock {
  return TYPES.has(block.type);
}

/** What blocks of specifications are drawn from. */
export interface LoadedApiBlocks {
  readonly renderBlock: (block: ApiBlock, blockContext: BlockContext) => Markup;
  /** The form that calls an operation, without what is to be read of it. */
  readonly renderTryItForm: (block: ApiBlock, blockContext: BlockContext) => Markup | undefined;
  /** The heading of an operation, for the outline. */
  readonly getHeading: (block: Block) => OutlineHeading | undefined;
  /** The origins that their forms call. */
  readonly connects: readonly string[];
}

/** The most specifications, and the most operations, of one page. */
const MOST_SPECIFICATIONS = 10;
export const MAX_API_BLOCKS = 100;

/** Reads what the blocks of a page show. */
export async function loadApiBlocks(
  blocks: readonly ApiBlock[],
  context: RequestContext,
  references: Pick<PageReferences, "resolveFile">,
): Promise<LoadedApiBlocks> {
  const specificationOf = await loadSpecifications(blocks, context, references);
  const messages = getApiMessages(context.customization.internationalization.locale);
  const found = new Map<Block, Operation | undefined>();
  const headings = new Map<Block, OutlineHeading>();
  const connects = new Set<string>();
  for (const block of blocks.slice(0, MAX_API_BLOCKS)) {
    const specification = specificationOf(block);
    const it = specification && findOperation(block, specification);
    found.set(block, it);
    if (it) headings.set(block, { id: idOf(it), text: it.title, isDeep: false });
    if (!it || !mayTry(it)) continue;
    for (const address of listServerUrls(serversOf(it.value, it.item, it.root.value)))
      connects.add(getCallableOrigin(address)!);
  }
  return {
    renderBlock: draw,
    renderTryItForm: form,
    getHeading: (block) => headings.get(block),
    connects: [...connects],
  };

  /** Two dashes, as in all that no author names. The same operation twice has a number. */
  function idOf({ method, path }: Operation): string {
    const id = `--${`${method}-${path}`
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .slice(0, 100)}`;
    const same = [...headings.values()].filter((it) => it.id === id || it.id.startsWith(`${id}--`)).length;
    return same === 0 ? id : `${id}--${same + 1}`;
  }

  function mayTry(it: Operation): boolean {
    return context.site.options.tryIt !== false && allowsTryIt(it);
  }

  function form(block: ApiBlock, blockContext: BlockContext): Markup | undefined {
    const it = found.get(block);
    if (!it || !mayTry(it)) return undefined;
    const apiContext = createApiContext(specificationOf(block)!.resolve, blockContext, messages);
    const shown = renderTryItForm(buildApiCall(it, parametersOf(apiContext.resolve, it), apiContext), apiContext);
    return shown && html`<section class="operation">${shown}</section>`;
  }

  function draw(block: ApiBlock, blockContext: BlockContext): Markup {
    const specification = specificationOf(block);
    if (!specification) return renderRequestLineOnly(block);
    if (!found.has(block))
      return html`${renderRequestLineOnly(block)}<p class="gone">${blockContext.messages.missingPart}</p>`;
    const apiContext = createApiContext(specification.resolve, blockContext, messages);
    if (block.type === "openapi-schemas") {
      const { schemas: names, grouped = false } = block.data!;
      return renderSchemas(names, specification.root, grouped, apiContext);
    }
    const it = found.get(block);
    return it
      ? renderOperation(it, apiContext, { isTried: mayTry(it), id: headings.get(block)!.id })
      : renderRequestLineOnly(block);
  }
}

/** Reads the specifications of the first blocks of a page. */
export async function loadSpecifications(
  blocks: readonly ApiBlock[],
  context: RequestContext,
  references: Pick<PageReferences, "resolveFile">,
): Promise<(block: ApiBlock) => Specification | undefined> {
  const specifications = new Map<string, Specification | undefined>();
  const refs = new Map(blocks.slice(0, MAX_API_BLOCKS).map((block) => [getSpecificationKey(block), block.data!.ref]));
  for (const [name, ref] of [...refs].slice(0, MOST_SPECIFICATIONS))
    specifications.set(name, await loadSpecification(context, ref, references));
  return (block) => specifications.get(getSpecificationKey(block));
}

/** Blocks of one specification have the same name. */
function getSpecificationKey({ data }: ApiBlock): string {
  return JSON.stringify(data!.ref);
}

/** The operation that a block names; undefined where its specification has none. */
export function findOperation({ type, data }: ApiBlock, { root, resolve }: Specification): Operation | undefined {
  const { method, path, name } = data as { method?: string; path?: string; name?: string };
  if (type === "openapi-schemas" || method === undefined) return undefined;
  const isWebhook = type === "openapi-webhook";
  return operationAt(root, resolve, { method, path: (isWebhook ? name : path) ?? "", isWebhook });
}

/** Whether a reader may call an operation from the page: it is no webhook, and its author does not forbid it. */
function allowsTryIt({ isWebhook, value, root }: Operation): boolean {
  if (isWebhook || member(value, "x-hideTryItPanel") === true) return false;
  return member(root.value, "x-hideTryItPanel") !== true;
}

/** What the document itself says, where the specification cannot be seen. */
function renderRequestLineOnly({ type, data }: ApiBlock): Markup {
  if (type === "openapi-schemas") return html``;
  const { method = "", path, name } = data as { method?: string; path?: string; name?: string };
  return renderRequestLine(method, path ?? name ?? "", "");
}
