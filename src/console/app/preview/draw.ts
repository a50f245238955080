// Draws a document as the reader does, with what this person may see. It gives markup; nothing of it is put into the page of
// the application itself.

import type { Block, ContentRef, Document as Drawn } from "../../../content/document";
import { renderBlocks } from "../../../site/blocks/render-blocks";
import { sanitizeFileHref, sanitizeHref } from "../../../site/layout/links";
import { getSiteMessages } from "../../../site/messages";
import type { BlockRenderContext, ResolvedFile, ReferenceLink as Target } from "../../../site/pages/block-context";
import { FootnoteCollector } from "../../../site/pages/footnotes";
import { detectPageFeatures, loadFeatureRenderers } from "../../../site/pages/page-features";
import { ExpansionBudget, MAX_EXPANSION_CHARACTERS } from "../../../utils/expansion-budget";
import { html, type Markup } from "../../../utils/html";
import { omitUndefined } from "../../../utils/objects";
import { addresses } from "../routes";
import { type Document, type PageInTree, type Place, readFile } from "../space/place";
import { findById } from "../space/tree";
import { spokenLanguage } from "../words/spoken";

/** The most files that are asked for in one document. */
const MOST_FILES = 100;

export async function drawDocument(
  document: Document,
  place: Place,
  pages: readonly PageInTree[],
): Promise<{ readonly body: Markup; readonly notes: readonly Markup[] }> {
  const { nodes } = document as unknown as Drawn;
  const [{ code, formula }, files] = await Promise.all([
    loadFeatureRenderers(detectPageFeatures(nodes)),
    filesOf(nodes, place),
  ]);
  const words = getSiteMessages(spokenLanguage());
  const notes = new FootnoteCollector(words);
  let last = 0;
  const scene: BlockRenderContext = {
    messages: words,
    budget: new ExpansionBudget(MAX_EXPANSION_CHARACTERS),
    resolveLink: (ref) => targetOf(ref, place, pages, files),
    renderLinkAttributes: (href) => html`href="${sanitizeHref(href)}" target="_blank" rel="noopener"`,
    resolveFile(ref) {
      if (ref.kind !== "url") return ref.kind === "file" ? files.get(ref.file) : undefined;
      const url = sanitizeFileHref(ref.url);
      return url === undefined ? undefined : { url, name: ref.url };
    },
    renderFormula: formula,
    highlightCode: code,
    renderIcon: () => undefined,
    renderExternalBlock: (block) => standIn(block),
    addFootnote: notes.add,
    createElementNumber: () => ++last,
  };
  return {
    body: html`${nodes.map((block) => html`${markOf(block)}${renderBlocks([block], scene)}`)}`,
    notes: notes.bodies,
  };
}

/** Says which block what follows is. The frame takes it out again. */
export function markOf({ key }: Block): Markup | false {
  return key !== undefined && html`<a data-block="${key}"></a>`;
}

function targetOf(
  ref: ContentRef,
  { organization, space, changeRequest }: Place,
  pages: readonly PageInTree[],
  files: ReadonlyMap<string, ResolvedFile>,
): Target | undefined {
  if (ref.kind === "url") return { href: sanitizeHref(ref.url), title: ref.url };
  if (ref.kind === "file") {
    const file = files.get(ref.file);
    return file && { href: file.url, title: file.name };
  }
  if (ref.kind === "anchor" && ref.page === undefined) return { href: `#${ref.anchor}`, title: ref.anchor };
  if (ref.kind === "space") return { href: addresses.space(organization, ref.space), title: ref.space };
  if (ref.kind !== "page" && ref.kind !== "anchor") return undefined;
  const page = findById(pages, ref.page ?? "");
  if (!page) return undefined;
  const { title, path, description, emoji } = page;
  return {
    href: addresses.page(organization, space, changeRequest, path),
    title,
    ...omitUndefined({ description: description ? description : undefined, emoji: emoji ? emoji : undefined }),
  };
}

interface Said {
  readonly integration?: unknown;
  readonly method?: unknown;
  readonly path?: unknown;
  readonly action?: unknown;
}

/** A block that needs more than the document: of an integration, or of a specification. */
function standIn(block: Block): Markup {
  const { type, data = {} } = block as { type: string; data?: Said };
  const said = [data.integration, data.method, data.path, data.action].filter((it) => typeof it === "string");
  return html`<div class="hint info"><div><p><strong>${type}</strong> ${said.join(" ")}</p></div></div>`;
}

const known = new Map<string, Promise<ResolvedFile | undefined>>();

/** The files that a document shows. Their addresses are for this person, and end after an hour or two. */
async function filesOf(nodes: readonly Block[], place: Place): Promise<ReadonlyMap<string, ResolvedFile>> {
  const ids = new Set<string>();
  JSON.stringify(nodes, (_, value) => {
    if (value?.kind === "file" && typeof value.file === "string") ids.add(value.file);
    return value;
  });
  const found = await Promise.all(
    [...ids].slice(0, MOST_FILES).map(async (id) => {
      const key = `${place.space} ${place.changeRequest ?? ""} ${id} ${Math.floor(Date.now() / 1_800_000)}`;
      const asked = known.get(key) ?? shownFile(place, id);
      known.set(key, asked);
      const file = await asked;
      if (!file) known.delete(key);
      return file ? ([[id, file]] as const) : [];
    }),
  );
  return new Map(found.flat());
}

async function shownFile(place: Place, id: string): Promise<ResolvedFile | undefined> {
  const file = await readFile(place, id);
  if (!file) return undefined;
  const { downloadURL: url, name, contentType: type, size: bytes, dimensions } = file;
  return { url, name, type, bytes, width: dimensions?.width, height: dimensions?.height };
}
