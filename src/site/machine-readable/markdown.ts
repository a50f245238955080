// A page as Markdown, as this visitor sees it: the source from the API, with conditions evaluated and variables and reusable
// contents inserted. Its title stands on top, and every link is an absolute URL.

import type { Block, ContentRef, Fragment } from "../../content/document";
import { loadMarkdownReader } from "../../content/lazy";
import { MAX_TEXT_LENGTH } from "../../content/markdown/limits";
import { escapeHeadingText, findLeadingTitle } from "../../content/page-source/title";
import { replaceLinkTargetsInSteps } from "../../content/revision/link-targets";
import type * as Resources from "../../generated/resources";
import { runSteps } from "../../utils/concurrency/event-loop";
import { ExpansionBudget } from "../../utils/expansion-budget";
import { omitUndefined } from "../../utils/objects";
import type { CacheableResponse } from "../cache/site-cache";
import { createPageReferences } from "../pages/block-context";
import type { RequestContext } from "../request/request-context";
import { createMachineResponse, MARKDOWN } from "../responses/responses";
import { toAbsoluteUrl } from "./page-urls";

/** Responds with a page as Markdown. Returns undefined if the page was removed after its URL was resolved. */
export async function renderMarkdownPage(
  context: RequestContext,
  pageId: string,
): Promise<CacheableResponse | undefined> {
  const markdown = await getPageMarkdown(context, pageId);
  if (!markdown) return undefined;
  const canonical = markdown.page.urls.published;
  return createMachineResponse(context, markdown.text, MARKDOWN, {
    "x-robots-tag": "noindex",
    ...omitUndefined({ link: canonical === undefined ? undefined : `<${canonical}>; rel="canonical"` }),
  });
}

/** Returns a page of the current site-space as Markdown with absolute URLs, or undefined if there is no such page. */
export async function getPageMarkdown(
  context: RequestContext,
  pageId: string,
): Promise<{ readonly page: Resources.PublishedPage; readonly text: string } | undefined> {
  const page = await context.getPage(pageId, "markdown");
  if (!page) return undefined;
  const source = page.markdown ?? "";
  const title = findLeadingTitle(source, 0);
  const text = source.slice(title?.after ?? 0);

  // The Markdown and the document contain the same references in the same order. If they do not, all links stay as they are.
  const { document, references } = (await context.getPage(page.id, "document")) ?? {};
  const { resolveLink, resolveFile } = createPageReferences(references ?? [], context);
  const { parseMarkdownInSteps, readDocumentInSteps } = await loadMarkdownReader();
  const parsed = await runSteps(readDocumentInSteps(text, await runSteps(parseMarkdownInSteps(text))));
  const written = [...walkReferences(parsed.document.nodes)];
  const resolved = [...walkReferences((document?.nodes ?? []) as Block[])];
  const isSame = written.length === resolved.length;
  const refs = new Map<string, ContentRef>();
  for (const [i, ref] of written.entries()) if (isSame && ref.kind === "url") refs.set(ref.url, resolved[i]!);

  const pageUrl = page.urls.published ?? context.url.href;
  // A link of six characters may become a URL of hundreds. Beyond the budget, links stay as they are written.
  const budget = new ExpansionBudget(MAX_TEXT_LENGTH);
  const findTarget = (href: string): string | undefined => {
    const ref = refs.get(href);
    if (!ref || ref.kind === "url") return undefined;
    const target = resolveFile(ref)?.url ?? resolveLink(ref)?.href;
    if (target === undefined) return undefined;
    const url = target.startsWith("#") ? toAbsoluteUrl(context, pageUrl) + target : toAbsoluteUrl(context, target);
    return budget.take(url.length - href.length) ? url : undefined;
  };
  const body = await runSteps(replaceLinkTargetsInSteps(text, findTarget));
  return { page, text: `# ${escapeHeadingText(page.title)}\n\n${body.replace(/^[\r\n]+/, "").trimEnd()}\n` };
}

/** A node, as far as it can contain references. */
interface ReferenceNode {
  readonly data?: unknown;
  readonly nodes?: readonly unknown[];
  readonly fragments?: readonly Fragment[];
}

/** Yields all references of nodes in document order. */
function* walkReferences(nodes: readonly unknown[]): Generator<ContentRef> {
  for (const node of nodes as readonly ReferenceNode[]) {
    yield* walkValueReferences(node.data);
    yield* walkReferences(node.nodes ?? []);
    yield* walkReferences(node.fragments ?? []);
  }
}

/** Yields the references in the data of a node, such as `ref`, `refDark` and the values of cells. */
function* walkValueReferences(value: unknown): Generator<ContentRef> {
  if (typeof value !== "object" || value === null) return;
  if ("kind" in value && typeof value.kind === "string" && value.kind !== "primary" && value.kind !== "secondary")
    yield value as ContentRef;
  else for (const member of Object.values(value)) yield* walkValueReferences(member);
}
