// The text of a page or a reusable content in the requested format, with the files that it includes if it is evaluated.

import type { ContentRef, Document } from "../../../content/document";
import type { EvaluationContext } from "../../../content/evaluate";
import { loadEvaluator, loadMarkdownReader, loadMdBook } from "../../../content/lazy";
import { MAX_TEXT_LENGTH } from "../../../content/markdown/limits";
import type { RootNode } from "../../../content/markdown/nodes";
import type { FencedBlocks, LinkPurpose } from "../../../content/markdown/read";
import type { FindIncludedFile } from "../../../content/mdbook/expand";
import { keys, type LinkEntry, type MdBookEntry } from "../../../content/revision/entries";
import {
  getLinkKey,
  getPageLinkContext,
  type LinkContext,
  resolveAnchor,
  resolveLink,
  resolveStoredLink,
} from "../../../content/revision/links";
import type { RevisionView } from "../../../content/revision/view";
import type { Objects } from "../../../storage/objects";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { ExpansionBudget } from "../../../utils/expansion-budget";
import { type FencesContext, findFencedBlocks } from "./fenced-blocks";
import type { TextSource } from "./text-source";

/** The context of reading a text, and its requested format. */
interface TextContext extends FencesContext {
  readonly objects: Objects;
  /** The texts are evaluated already. */
  readonly isEvaluated?: true | undefined;
  readonly space: { readonly id: string };
  readonly query: { readonly format?: "document" | "markdown" | undefined; readonly evaluated?: boolean | undefined };
}

type FormattedText = { readonly markdown: string } | { readonly document: Document };

/**
 * Returns a text as Markdown or as a document, with its expressions evaluated on request. Default: the text of the source. Another
 * text is formatted as if it were the text of the source.
 */
export async function formatText(
  context: TextContext,
  view: RevisionView,
  source: TextSource,
  otherText?: string,
): Promise<FormattedText> {
  const { objects, query, space } = context;
  const text = otherText ?? (await objects.text(source.body));
  const shouldEvaluate = query.evaluated && !context.isEvaluated;
  const evaluated = shouldEvaluate ? await evaluateText(objects.text, view, source, text) : { text };
  if (query.format !== "document") return { markdown: evaluated.text };
  const fences = await findFencedBlocks(context, space.id, evaluated.text);
  const { document } = await readDocumentWithRefs(view, source, evaluated, { fences });
  return { document };
}

/** A text, with its parsed form if it was parsed already. */
export interface EvaluatedSourceText {
  readonly text: string;
  readonly root?: RootNode | undefined;
  /** The hrefs of the reusable contents that were inserted. */
  readonly includes?: readonly string[];
}

interface ReadDocumentOptions {
  /** Links to things that it rejects look broken. Default: everything is visible. */
  readonly sees?: (ref: ContentRef) => Promise<boolean>;
  /** The languages of fenced code that are blocks of integrations. Default: none. */
  readonly fences?: FencedBlocks | undefined;
}

/** Returns a text as a document, with all references in it. */
export async function readDocumentWithRefs(
  view: RevisionView,
  source: TextSource,
  { text, root }: EvaluatedSourceText,
  { sees = async () => true, fences }: ReadDocumentOptions = {},
): Promise<{ readonly document: Document; readonly refs: readonly ContentRef[] }> {
  // Equal links share one reference object, whose target is filled in when it is resolved.
  const links = new Map<string, { readonly href: string; readonly as: LinkPurpose; readonly ref: ContentRef }>();
  const getRef = (href: string, as: LinkPurpose): ContentRef => {
    const key = getLinkKey({ href, as });
    const existing = links.get(key);
    if (existing) return existing.ref;
    const ref: ContentRef = { kind: "url", url: href };
    links.set(key, { href, as, ref });
    return ref;
  };
  const { parseMarkdownInSteps: parseInSteps, readDocumentInSteps } = await loadMarkdownReader();
  const parsed = root ?? (await runSteps(parseInSteps(text)));
  const { document } = await runSteps(readDocumentInSteps(text, parsed, getRef, fences));

  // The links of reusable contents that were inserted into the text are not among the stored ones.
  const storedLinks = new Map<string, LinkEntry>();
  for (const link of await view.getLinks(source.id)) storedLinks.set(getLinkKey(link), link);
  const context = source.page ? await getPageLinkContext(view, source.page) : { page: undefined, bases: [[]] };
  for (const [key, { href, as, ref }] of links) {
    await yieldToEventLoop();
    const storedLink = storedLinks.get(key);
    const { ref: target } = storedLink
      ? await resolveStoredLink(view, storedLink)
      : await resolveAnchor(view, await resolveLink(view, context, href, as));
    if (target.kind === "url" || !(await sees(target))) continue;
    Reflect.deleteProperty(ref, "url");
    Object.assign(ref, target);
  }
  return { document, refs: Array.from(links.values(), ({ ref }) => ref) };
}

/** The most reusable contents that are inserted into one page. */
const MAX_INSERTED_CONTENTS = 100;

/** The claims of nobody. */
const NO_CLAIMS: object = { unsigned: {} };

/**
 * Returns a text with its included files, and with its variables, conditions and reusable contents evaluated for a visitor with
 * `claims`. `readText` returns a text by its hash.
 */
export async function evaluateText(
  readText: (hash: string) => Promise<string>,
  view: RevisionView,
  source: TextSource,
  input: string,
  claims = NO_CLAIMS,
): Promise<EvaluatedSourceText> {
  const budget = new ExpansionBudget(MAX_TEXT_LENGTH - input.length);
  const text = await expandIncludedFiles(readText, view, source, input, budget);
  const scope = {
    space: { vars: await view.getVariables() },
    page: { vars: source.page?.variables ?? {} },
    visitor: { claims },
  };
  const { evaluateMarkdownInSteps } = await loadEvaluator();
  const contents = new Map<string, string>();
  const decided: EvaluationContext["parsedTexts"] = new Map();
  for (;;) {
    const missingHrefs = new Set<string>();
    const include = (href: string) => {
      if (!contents.has(href)) missingHrefs.add(href);
      return contents.get(href);
    };
    // Each round evaluates the text again, so it begins with the same budget.
    const roundBudget = new ExpansionBudget(budget.remaining);
    const result = await runSteps(
      evaluateMarkdownInSteps(text, { scope, getIncludedText: include, parsedTexts: decided, budget: roundBudget }),
    );

    const sizeBefore = contents.size;
    for (const href of [...missingHrefs].slice(0, MAX_INSERTED_CONTENTS - sizeBefore)) {
      const { ref } = await resolveLink(view, { page: source.page, bases: [[]] }, href);
      const reusable = ref.kind === "reusable-content" ? await view.getReusable(ref.reusableContent) : undefined;
      if (reusable) contents.set(href, await readText(reusable.body));
    }
    if (contents.size === sizeBefore) return result;
  }
}

/** The largest file that is shown inside a text. */
const MAX_INCLUDED_BYTES = 1024 * 1024;

/** Matches the syntax of includes or of code. A text without them needs no further work. */
export const includeSyntax = /\{\{|`{3}|~{3}/;

/** Checks whether `expandIncludedFiles` may change a text. */
export async function mayExpandIncludes(view: RevisionView, text: string): Promise<boolean> {
  if (!includeSyntax.test(text)) return false;
  const book = (await view.get(keys.mdBook)) as MdBookEntry | undefined;
  return book !== undefined && (await loadMdBook()).isExpandable(text, book);
}

/** Expands the includes of a text, as far as the budget goes, and hides its hidden code lines. `readText` returns a text by its hash. */
export async function expandIncludedFiles(
  readText: (hash: string) => Promise<string>,
  view: RevisionView,
  source: TextSource,
  text: string,
  budget: ExpansionBudget,
): Promise<string> {
  if (!(await mayExpandIncludes(view, text))) return text;
  const book = (await view.get(keys.mdBook)) as MdBookEntry;
  const context: LinkContext = source.page
    ? await getPageLinkContext(view, source.page)
    : { page: undefined, bases: [[]], path: (await view.getReusable(source.id))?.git?.path };

  const findFile: FindIncludedFile = async (href, from) => {
    const fileContext = from === undefined ? context : { page: undefined, bases: [], path: from };
    const { ref } = await resolveLink(view, fileContext, href);
    if (ref.kind === "file") {
      const file = await view.getFile(ref.file);
      const isIncluded = file && file.size <= MAX_INCLUDED_BYTES && file.object !== "";
      return isIncluded ? { path: file.path, text: await readText(file.object) } : undefined;
    }
    if (ref.kind !== "page" || ref.space !== undefined) return undefined;
    const ancestry = await view.getAncestry(ref.page);
    const [page] = ancestry;
    // A page with a condition is not for everyone, so it is not shown inside another page.
    if (page?.body === undefined || ancestry.some(({ condition }) => condition !== undefined)) return undefined;
    return { path: page.git?.path ?? "", text: await readText(page.body) };
  };
  const { expandMdBook } = await loadMdBook();
  return expandMdBook(text, book, findFile, budget);
}
