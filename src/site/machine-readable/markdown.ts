// A page as Markdown, as this visitor sees it: the text that the API gives, in which conditions are decided and values and
// reusable contents put in, with its title on top and every link as an address that works from anywhere.

import type { Block, ContentRef } from "../../content/document";
import { loadMarkdownReader } from "../../content/lazy";
import { MAX_TEXT_LENGTH } from "../../content/markdown/limits";
import { findLeadingTitle, formatTitleHeading } from "../../content/page-source/title";
import { replaceLinkTargetsInSteps } from "../../content/revision/link-targets";
import type * as Resources from "../../generated/resources";
import { runSteps } from "../../utils/concurrency/event-loop";
import { ExpansionBudget } from "../../utils/expansion-budget";
import { omitUndefined } from "../../utils/objects";
import type { CacheableResponse } from "../cache/response-cache";
import { createPageReferences } from "../pages/references";
import type { RequestContext } from "../request/request-context";
import { toAbsoluteUrl } from "./page-urls";
import { walkReferences } from "./refs";
import { createMachineResponse, MARKDOWN } from "./text-responses";

/** The page that was found, as Markdown; undefined where it went away meanwhile. */
export async function renderMarkdownPage(
  context: RequestContext,
  pageId: string,
): Promise<CacheableResponse | undefined> {
  const made = await getPageMarkdown(context, pageId);
  if (!made) return undefined;
  const canonical = made.page.urls.published;
  return createMachineResponse(context, made.text, MARKDOWN, {
    "x-robots-tag": "noindex",
    ...omitUndefined({ link: canonical === undefined ? undefined : `<${canonical}>; rel="canonical"` }),
  });
}

/** A page of the visit's site-space as Markdown; undefined where there is none. */
export async function getPageMarkdown(
  context: RequestContext,
  pageId: string,
): Promise<{ readonly page: Resources.PublishedPage; readonly text: string } | undefined> {
  const page = await context.getPage(pageId, "markdown");
  if (!page) return undefined;
  const source = page.markdown ?? "";
  const title = findLeadingTitle(source, 0);
  const body = source.slice(title?.after ?? 0);
  const text = await replaceLinksWithUrls(context, page, body);
  return { page, text: `${formatTitleHeading(page.title)}\n\n${text.replace(/^[\r\n]+/, "").trimEnd()}\n` };
}

/** A text in which links are addresses with their host. */
async function replaceLinksWithUrls(
  context: RequestContext,
  page: Resources.PublishedPage,
  text: string,
): Promise<string> {
  const read = await context.getPage(page.id, "document");
  const nodes = (read?.document?.nodes ?? []) as Block[];
  const { resolveLink, resolveFile } = createPageReferences(read?.references ?? [], context);
  const written = await indexReferencesByUrl(text, nodes);
  const here = page.urls.published ?? context.url.href;
  const budget = new ExpansionBudget(MAX_TEXT_LENGTH);
  const addressFor = (href: string): string | undefined => {
    const ref = written.get(href);
    if (!ref || ref.kind === "url") return undefined;
    const target = resolveFile(ref)?.url ?? resolveLink(ref)?.href;
    if (target === undefined) return undefined;
    return target.startsWith("#") ? toAbsoluteUrl(context, here) + target : toAbsoluteUrl(context, target);
  };
  // A link of six characters may lead to an address of hundreds. Beyond the budget, links stay as they are written.
  const targetFor = (href: string) => {
    const address = addressFor(href);
    return address !== undefined && budget.take(address.length - href.length) ? address : undefined;
  };
  return runSteps(replaceLinkTargetsInSteps(text, targetFor));
}

/** What the addresses of a text lead to: the document has the same references in the same order. */
async function indexReferencesByUrl(text: string, nodes: readonly Block[]): Promise<ReadonlyMap<string, ContentRef>> {
  const { parseInSteps, readDocumentInSteps } = await loadMarkdownReader();
  const { document } = await runSteps(readDocumentInSteps(text, await runSteps(parseInSteps(text))));
  const resolved = [...walkReferences(nodes)];
  const written = [...walkReferences(document.nodes)];
  const found = new Map<string, ContentRef>();
  if (written.length !== resolved.length) return found;
  for (const [i, ref] of written.entries()) if (ref.kind === "url") found.set(ref.url, resolved[i]!);
  return found;
}
