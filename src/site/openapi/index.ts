// Blocks that a specification of an API describes. This module is loaded for pages that have such blocks.

import type { Block } from "../../content/document";
import { buildApiCall } from "../../openapi/html/call";
import { renderOperation, renderRequestLine, renderSchemas } from "../../openapi/html/operation";
import { renderTryItForm } from "../../openapi/html/try-it";
import { getOwnMember, type SpecificationRoot } from "../../openapi/model/document";
import {
  findSpecificationOperation,
  listParameters,
  type SpecificationOperation,
} from "../../openapi/model/operations";
import { getCallableOrigin, listServers, listServerUrls } from "../../openapi/model/servers";
import { html, type Markup } from "../../utils/html";
import type { OutlineHeading } from "../layout/layout";
import type { BlockRenderContext, PageReferences } from "../pages/block-context";
import type { RequestContext } from "../request/request-context";
import { createApiContext } from "./api-context";
import { loadSpecification } from "./load-specification";

export type ApiBlock = Extract<
  Block,
  { readonly type: "openapi-operation" | "swagger" | "openapi-schemas" | "openapi-webhook" }
>;

export interface LoadedApiBlocks {
  readonly renderBlock: (block: ApiBlock, blockContext: BlockRenderContext) => Markup;
  /** Renders the form that calls an operation, without its description. */
  readonly renderTryItForm: (block: ApiBlock, blockContext: BlockRenderContext) => Markup | undefined;
  readonly getHeading: (block: Block) => OutlineHeading | undefined;
  /** The origins that the forms call. */
  readonly connects: readonly string[];
}

/** The most specifications, and the most operations, of one page. */
const MAX_SPECIFICATIONS = 10;
export const MAX_API_BLOCKS = 100;
const MAX_ID_LENGTH = 100;

/** Loads the specifications of the blocks of a page. An operation that has the title of the page does not repeat it. */
export async function loadApiBlocks(
  blocks: readonly ApiBlock[],
  context: RequestContext,
  references: Pick<PageReferences, "resolveFile">,
  pageTitle: string | undefined,
): Promise<LoadedApiBlocks> {
  const getSpecification = await loadSpecifications(blocks, context, references);
  const messages = context.apiMessages;
  const operations = new Map<Block, SpecificationOperation | undefined>();
  const headings = new Map<Block, OutlineHeading>();
  const connects = new Set<string>();
  // Webhooks are sent by the API, and the author of a specification may forbid to call an operation.
  const canTryOperation = ({ isWebhook, value, root }: SpecificationOperation): boolean =>
    context.site.options.tryIt !== false &&
    !isWebhook &&
    getOwnMember(value, "x-hideTryItPanel") !== true &&
    getOwnMember(root.value, "x-hideTryItPanel") !== true;

  for (const block of blocks.slice(0, MAX_API_BLOCKS)) {
    const specification = getSpecification(block);
    const operation = specification && findOperation(block, specification);
    operations.set(block, operation);
    if (!operation) continue;
    const { method, path, title } = operation;
    // Ids of the layout begin with two dashes. An operation that occurs again gets a number.
    const slug = `${method}-${path}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
    const id = `--${slug.slice(0, MAX_ID_LENGTH)}`;
    const sameCount = [...headings.values()].filter((it) => it.id === id || it.id.startsWith(`${id}--`)).length;
    headings.set(block, { id: sameCount === 0 ? id : `${id}--${sameCount + 1}`, text: title, isDeep: false });
    if (!canTryOperation(operation)) continue;
    for (const url of listServerUrls(listServers(operation))) connects.add(getCallableOrigin(url)!);
  }

  return {
    renderBlock(block, blockContext) {
      const specification = getSpecification(block);
      if (!specification) return renderRequestLineOnly(block);
      if (!operations.has(block))
        return html`${renderRequestLineOnly(block)}<p class="gone">${blockContext.messages.missingPart}</p>`;
      const apiContext = createApiContext(blockContext, messages);
      if (block.type === "openapi-schemas") {
        const { schemas, grouped = false } = block.data!;
        return renderSchemas(schemas, specification, grouped, apiContext);
      }
      const operation = operations.get(block);
      if (!operation) return renderRequestLineOnly(block);
      const { id, text } = headings.get(block)!;
      const { linkToHeading } = blockContext.messages;
      const anchor = html`<a class="anchor" href="#${id}" aria-label="${linkToHeading}">#</a>`;
      const heading = text === pageTitle ? html`` : html`<h2 id="${id}">${text} ${anchor}</h2>`;
      return renderOperation(operation, apiContext, { heading, hasTryIt: canTryOperation(operation) });
    },
    renderTryItForm(block, blockContext) {
      const operation = operations.get(block);
      if (!operation || !canTryOperation(operation)) return undefined;
      const call = buildApiCall(operation, listParameters(operation));
      const form = renderTryItForm(call, createApiContext(blockContext, messages));
      return form && html`<section class="operation">${form}</section>`;
    },
    getHeading(block) {
      const heading = headings.get(block);
      return heading && heading.text !== pageTitle ? heading : undefined;
    },
    connects: [...connects],
  };
}

/** Loads the specifications of the first blocks of a page, and returns a function that returns the specification of a block. */
export async function loadSpecifications(
  blocks: readonly ApiBlock[],
  context: RequestContext,
  references: Pick<PageReferences, "resolveFile">,
): Promise<(block: ApiBlock) => SpecificationRoot | undefined> {
  const getKey = ({ data }: ApiBlock) => JSON.stringify(data!.ref);
  const specifications = new Map<string, SpecificationRoot | undefined>();
  const refs = new Map(blocks.slice(0, MAX_API_BLOCKS).map((block) => [getKey(block), block.data!.ref]));
  for (const [key, ref] of [...refs].slice(0, MAX_SPECIFICATIONS))
    specifications.set(key, await loadSpecification(context, ref, references));
  return (block) => specifications.get(getKey(block));
}

/** Returns the operation that a block refers to, or undefined if its specification has none. */
export function findOperation({ type, data }: ApiBlock, root: SpecificationRoot): SpecificationOperation | undefined {
  const { method, path, name } = data as { method?: string; path?: string; name?: string };
  if (type === "openapi-schemas" || method === undefined) return undefined;
  const isWebhook = type === "openapi-webhook";
  return findSpecificationOperation(root, { method, path: (isWebhook ? name : path) ?? "", isWebhook });
}

/** Renders the method and the path from the document, for a specification that cannot be seen. */
function renderRequestLineOnly({ type, data }: ApiBlock): Markup {
  if (type === "openapi-schemas") return html``;
  const { method = "", path, name } = data as { method?: string; path?: string; name?: string };
  return renderRequestLine(method, path ?? name ?? "", "");
}
