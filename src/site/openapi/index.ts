// Blocks that a specification of an API describes. Loaded when a page has one.

import type { Block } from "../../content/document";
import { type Operation, parametersOf } from "../../openapi/specifications/pages/operation";
import { operationAt } from "../../openapi/specifications/pages/operations";
import { member } from "../../openapi/specifications/pages/pointers";
import { serversOf } from "../../openapi/specifications/pages/servers";
import { html, type Markup } from "../../utils/html";
import type { Heading } from "../outline";
import type { References } from "../references";
import type { RenderContext } from "../scene";
import type { Visit } from "../visit";
import { addressesOf, originOf } from "./addresses";
import { callOf } from "./call";
import { beginDrawing } from "./drawing";
import { operation, requestLine, schemas } from "./operation";
import { readSpecification, type Specification } from "./specification";
import { tryIt } from "./try-it";
import { apiWordsOf } from "./words";

export type ApiBlock = Extract<
  Block,
  { readonly type: "openapi-operation" | "swagger" | "openapi-schemas" | "openapi-webhook" }
>;

const TYPES = new Set<Block["type"]>(["openapi-operation", "swagger", "openapi-schemas", "openapi-webhook"]);

export function isApiBlock(block: Block): block is ApiBlock {
  return TYPES.has(block.type);
}

/** What blocks of specifications are drawn from. */
export interface ApiBlocks {
  readonly draw: (block: ApiBlock, scene: RenderContext) => Markup;
  /** The form that calls an operation, without what is to be read of it. */
  readonly form: (block: ApiBlock, scene: RenderContext) => Markup | undefined;
  /** The heading of an operation, for the outline. */
  readonly heading: (block: Block) => Heading | undefined;
  /** The origins that their forms call. */
  readonly connects: readonly string[];
}

/** The most specifications, and the most operations, of one page. */
const MOST_SPECIFICATIONS = 10;
export const MOST_BLOCKS = 100;

/** Reads what the blocks of a page show. */
export async function lookUpApi(
  blocks: readonly ApiBlock[],
  visit: Visit,
  references: Pick<References, "file">,
): Promise<ApiBlocks> {
  const specificationOf = await specificationsOf(blocks, visit, references);
  const words = apiWordsOf(visit.look.internationalization.locale);
  const found = new Map<Block, Operation | undefined>();
  const headings = new Map<Block, Heading>();
  const connects = new Set<string>();
  for (const block of blocks.slice(0, MOST_BLOCKS)) {
    const specification = specificationOf(block);
    const it = specification && operationOf(block, specification);
    found.set(block, it);
    if (it) headings.set(block, { id: idOf(it), text: it.title, isDeep: false });
    if (!it || !mayTry(it)) continue;
    for (const address of addressesOf(serversOf(it.value, it.item, it.root.value))) connects.add(originOf(address)!);
  }
  return { draw, form, heading: (block) => headings.get(block), connects: [...connects] };

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
    return visit.house.options.tryIt !== false && isTried(it);
  }

  function form(block: ApiBlock, scene: RenderContext): Markup | undefined {
    const it = found.get(block);
    if (!it || !mayTry(it)) return undefined;
    const drawing = beginDrawing(specificationOf(block)!.resolve, scene, words);
    const shown = tryIt(callOf(it, parametersOf(drawing.resolve, it), drawing), drawing);
    return shown && html`<section class="operation">${shown}</section>`;
  }

  function draw(block: ApiBlock, scene: RenderContext): Markup {
    const specification = specificationOf(block);
    if (!specification) return bare(block);
    if (!found.has(block)) return html`${bare(block)}<p class="gone">${scene.words.missingPart}</p>`;
    const drawing = beginDrawing(specification.resolve, scene, words);
    if (block.type === "openapi-schemas") {
      const { schemas: names, grouped = false } = block.data!;
      return schemas(names, specification.root, grouped, drawing);
    }
    const it = found.get(block);
    return it ? operation(it, drawing, { isTried: mayTry(it), id: headings.get(block)!.id }) : bare(block);
  }
}

/** Reads the specifications of the first blocks of a page. */
export async function specificationsOf(
  blocks: readonly ApiBlock[],
  visit: Visit,
  references: Pick<References, "file">,
): Promise<(block: ApiBlock) => Specification | undefined> {
  const specifications = new Map<string, Specification | undefined>();
  const refs = new Map(blocks.slice(0, MOST_BLOCKS).map((block) => [nameIn(block), block.data!.ref]));
  for (const [name, ref] of [...refs].slice(0, MOST_SPECIFICATIONS))
    specifications.set(name, await readSpecification(visit, ref, references));
  return (block) => specifications.get(nameIn(block));
}

/** Blocks of one specification have the same name. */
function nameIn({ data }: ApiBlock): string {
  return JSON.stringify(data!.ref);
}

/** The operation that a block names; undefined where its specification has none. */
export function operationOf({ type, data }: ApiBlock, { root, resolve }: Specification): Operation | undefined {
  const { method, path, name } = data as { method?: string; path?: string; name?: string };
  if (type === "openapi-schemas" || method === undefined) return undefined;
  const isWebhook = type === "openapi-webhook";
  return operationAt(root, resolve, { method, path: (isWebhook ? name : path) ?? "", isWebhook });
}

/** Whether a reader may call an operation from the page: it is no webhook, and its author does not forbid it. */
function isTried({ isWebhook, value, root }: Operation): boolean {
  if (isWebhook || member(value, "x-hideTryItPanel") === true) return false;
  return member(root.value, "x-hideTryItPanel") !== true;
}

/** What the document itself says, where the specification cannot be seen. */
function bare({ type, data }: ApiBlock): Markup {
  if (type === "openapi-schemas") return html``;
  const { method = "", path, name } = data as { method?: string; path?: string; name?: string };
  return requestLine(method, path ?? name ?? "", "");
}
