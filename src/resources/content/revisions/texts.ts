// The text of a page or a reusable content in the requested format.

import type { ContentRef, Document } from "../../../content/document";
import type { Surroundings } from "../../../content/evaluate";
import { loadEvaluator, loadMarkdownReader } from "../../../content/lazy";
import { MAX_TEXT_LENGTH } from "../../../content/markdown/limits";
import type { Root } from "../../../content/markdown/nodes";
import type { FencedBlocks, LinkPurpose } from "../../../content/markdown/read";
import type { LinkEntry } from "../../../content/revision/entries";
import {
  getLinkKey,
  getPageLinkContext,
  resolveAnchor,
  resolveLink,
  resolveStoredLink,
} from "../../../content/revision/links";
import type { RevisionView } from "../../../content/revision/view";
import type { Objects } from "../../../storage/objects";
import { runSteps, yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { ExpansionBudget } from "../../../utils/expansion-budget";
import { fencesFor, type LookingForFences } from "./fenced-blocks";
import { withIncludedFiles } from "./included-files";
import type { Source } from "./source";

/** What is requested of a text, and what reading it needs. */
interface Asked extends LookingForFences {
  readonly objects: Objects;
  readonly isEvaluated?: true | undefined;
  readonly space: { readonly id: string };
  readonly query: { readonly format?: "document" | "markdown" | undefined; readonly evaluated?: boolean | undefined };
}

/** The text of a source as Markdown or as a document, with its expressions evaluated on request. */
export async function textIn(
  asked: Asked,
  view: RevisionView,
  source: Source,
): Promise<{ readonly markdown: string } | { readonly document: Document }> {
  return shownText(asked, view, source, await asked.objects.text(source.body));
}

/** A text as it would be shown if it were that of a source. */
export async function shownText(
  asked: Asked,
  view: RevisionView,
  source: Source,
  written: string,
): Promise<{ readonly markdown: string } | { readonly document: Document }> {
  const { objects, query } = asked;
  const shown =
    query.evaluated && !asked.isEvaluated
      ? await evaluatedText(objects.text, view, source, written)
      : { text: written };
  if (query.format !== "document") return { markdown: shown.text };
  const fences = await fencesFor(asked, asked.space.id, shown.text);
  return { document: await documentOf(view, source, shown, { fences }) };
}

/** A text, and what it was parsed to if somebody has parsed it. */
export interface MaybeParsed {
  readonly text: string;
  readonly root?: Root | undefined;
  /** The addresses of the reusable contents that were put in. */
  readonly includes?: readonly string[];
}

/** How a text becomes a document. */
interface AsDocument {
  /** Links to things that it refuses look broken. Default: everything is seen. */
  readonly sees?: (ref: ContentRef) => Promise<boolean>;
  /** Languages of fenced code that are blocks of integrations. Default: none. */
  readonly fences?: FencedBlocks | undefined;
}

/** A text as a document. */
export async function documentOf(
  view: RevisionView,
  source: Source,
  text: MaybeParsed,
  how?: AsDocument,
): Promise<Document> {
  return (await readText(view, source, text, how)).document;
}

/** A text as a document, and what stands in it as references. */
export async function readText(
  view: RevisionView,
  source: Source,
  { text, root }: MaybeParsed,
  { sees = async () => true, fences }: AsDocument = {},
): Promise<{ readonly document: Document; readonly refs: readonly ContentRef[] }> {
  const { parseInSteps, readDocumentInSteps } = await loadMarkdownReader();
  const refs: Refs = new Map();
  const { document } = await runSteps(
    readDocumentInSteps(
      text,
      root ?? (await runSteps(parseInSteps(text))),
      (href, as) => refIn(refs, href, as),
      fences,
    ),
  );
  await settle(refs, view, source, sees);
  return { document, refs: Array.from(refs.values(), ({ ref }) => ref) };
}

/** The references of a text, by the names of their links. */
type Refs = Map<string, { readonly href: string; readonly as: LinkPurpose; readonly ref: ContentRef }>;

/** The one reference object of a URL. Its target is filled in when it is resolved. */
function refIn(refs: Refs, href: string, as: LinkPurpose): ContentRef {
  const name = getLinkKey({ href, as });
  const known = refs.get(name);
  if (known) return known.ref;
  const ref: ContentRef = { kind: "url", url: href };
  refs.set(name, { href, as, ref });
  return ref;
}

/** Resolves URLs. Those of reusable contents that were inserted into a text were not resolved with it. */
async function settle(
  refs: Refs,
  view: RevisionView,
  source: Source,
  sees: (ref: ContentRef) => Promise<boolean>,
): Promise<void> {
  const known = new Map<string, LinkEntry>();
  for (const link of await view.getLinks(source.id)) known.set(getLinkKey(link), link);
  const place = source.page ? await getPageLinkContext(view, source.page) : { page: undefined, bases: [[]] };
  for (const [name, { href, as, ref }] of refs) {
    await yieldToEventLoop();
    const link = known.get(name);
    const { ref: found } = link
      ? await resolveStoredLink(view, link)
      : await resolveAnchor(view, await resolveLink(view, place, href, as));
    if (found.kind === "url" || !(await sees(found))) continue;
    Reflect.deleteProperty(ref, "url");
    Object.assign(ref, found);
  }
}

/** The most reusable contents that are inserted into one page. */
const MAX_INCLUDED = 100;

/** Nobody is visiting, so there are no claims. */
const NO_CLAIMS: object = { unsigned: {} };

/** A text with included files in it, and its variables, conditions and reusable contents evaluated for a visitor with
 * these claims. */
export async function evaluatedText(
  textOf: (hash: string) => Promise<string>,
  view: RevisionView,
  source: Source,
  written: string,
  claims = NO_CLAIMS,
): Promise<MaybeParsed> {
  const budget = new ExpansionBudget(MAX_TEXT_LENGTH - written.length);
  const text = await withIncludedFiles(textOf, view, source, written, budget);
  const scope = {
    space: { vars: await view.getVariables() },
    page: { vars: source.page?.variables ?? {} },
    visitor: { claims },
  };
  const { evaluateInSteps } = await loadEvaluator();
  const included = new Map<string, string>();
  const decided: Surroundings["decided"] = new Map();
  for (;;) {
    const wanted: string[] = [];
    const include = (href: string) => {
      if (!included.has(href)) wanted.push(href);
      return included.get(href);
    };
    // Each round evaluates the text anew, so it begins with the same budget.
    const left = new ExpansionBudget(budget.remaining);
    const result = await runSteps(evaluateInSteps(text, { scope, include, decided, budget: left }));
    const missing = [...new Set(wanted)].slice(0, MAX_INCLUDED - included.size);
    if (missing.length === 0) return result;
    let isMore = false;
    for (const href of missing) {
      const { ref } = await resolveLink(view, { page: source.page, bases: [[]] }, href);
      const found = ref.kind === "reusable-content" ? await view.getReusable(ref.reusableContent) : undefined;
      if (!found) continue;
      included.set(href, await textOf(found.body));
      isMore = true;
    }
    if (!isMore) return result;
  }
}
