// Renders a document as the published site does, with the data that the user may see. The markup never becomes a part of the
// page of the application itself.

import type { Block, Document as Drawn } from "../../../content/document";
import { formatDay } from "../../../locales/format-message";
import { loadMessages } from "../../../locales/messages";
import { renderBlocks } from "../../../site/blocks/render-blocks";
import { sanitizeFileHref, sanitizeHref } from "../../../site/layout/links";
import { type BlockRenderContext, FootnoteCollector, type ResolvedFile } from "../../../site/pages/block-context";
import { detectPageFeatures, loadFeatureRenderers } from "../../../site/pages/page-features";
import { ExpansionBudget, MAX_EXPANSION_CHARACTERS } from "../../../utils/expansion-budget";
import { html, type Markup } from "../../../utils/html";
import { omitUndefined } from "../../../utils/objects";
import { currentMessages } from "../messages/messages-provider";
import { addresses } from "../routes";
import { type ContentPlace, type Document, type PageInTree, readPlaceFile } from "../space/content-place";
import { findById } from "../space/tree-rows";

/** The most files that are loaded for one document. */
const MAX_FILES = 100;

const fileCache = new Map<string, Promise<ResolvedFile | undefined>>();

export async function drawDocument(
  document: Document,
  place: ContentPlace,
  pages: readonly PageInTree[],
): Promise<{ readonly body: Markup; readonly notes: readonly Markup[] }> {
  const { nodes } = document as unknown as Drawn;
  // The URLs of files are personal and expire after an hour or two.
  const ids = new Set<string>();
  JSON.stringify(nodes, (_, value) => {
    if (value?.kind === "file" && typeof value.file === "string") ids.add(value.file);
    return value;
  });
  const [{ code, formula }, foundFiles] = await Promise.all([
    loadFeatureRenderers(detectPageFeatures(nodes)),
    Promise.all(
      [...ids].slice(0, MAX_FILES).map(async (id) => {
        const key = `${place.space} ${place.changeRequest ?? ""} ${id} ${Math.floor(Date.now() / 1_800_000)}`;
        const resolved =
          fileCache.get(key) ??
          readPlaceFile(place, id).then((it): ResolvedFile | undefined => {
            if (!it) return undefined;
            const { downloadURL: url, name, contentType: type, size: bytes, dimensions } = it;
            return { url, name, type, bytes, width: dimensions?.width, height: dimensions?.height };
          });
        fileCache.set(key, resolved);
        const file = await resolved;
        if (!file) fileCache.delete(key);
        return file ? ([[id, file]] as const) : [];
      }),
    ),
  ]);
  const files: ReadonlyMap<string, ResolvedFile> = new Map(foundFiles.flat());
  const language = currentMessages.get()?.inLanguage ?? "en";
  const { site: messages } = await loadMessages(language);
  const notes = new FootnoteCollector(messages);
  let last = 0;
  const context: BlockRenderContext = {
    messages,
    budget: new ExpansionBudget(MAX_EXPANSION_CHARACTERS),
    resolveLink(ref) {
      if (ref.kind === "url") return { href: sanitizeHref(ref.url), title: ref.url };
      if (ref.kind === "file") {
        const file = files.get(ref.file);
        return file && { href: file.url, title: file.name };
      }
      if (ref.kind === "anchor" && ref.page === undefined) return { href: `#${ref.anchor}`, title: ref.anchor };
      if (ref.kind === "space") return { href: addresses.space(place.organization, ref.space), title: ref.space };
      if (ref.kind !== "page" && ref.kind !== "anchor") return undefined;
      const page = findById(pages, ref.page ?? "");
      if (!page) return undefined;
      const { title, path, description, emoji } = page;
      return {
        href: addresses.page(place.organization, place.space, place.changeRequest, path),
        title,
        ...omitUndefined({ description: description ? description : undefined, emoji: emoji ? emoji : undefined }),
      };
    },
    renderLinkAttributes: (href) => html`href="${sanitizeHref(href)}" target="_blank" rel="noopener"`,
    resolveFile(ref) {
      if (ref.kind !== "url") return ref.kind === "file" ? files.get(ref.file) : undefined;
      const url = sanitizeFileHref(ref.url);
      return url === undefined ? undefined : { url, name: ref.url };
    },
    renderFormula: formula,
    highlightCode: code,
    renderIcon: () => undefined,
    // A placeholder for the blocks of integrations and specifications, which need more than the document.
    renderExternalBlock(block) {
      const { type, data = {} } = block as { type: string; data?: Readonly<Record<string, unknown>> };
      const details = [data.integration, data.method, data.path, data.action].filter((it) => typeof it === "string");
      return html`<div class="hint info"><div><p><strong>${type}</strong> ${details.join(" ")}</p></div></div>`;
    },
    addFootnote: notes.add,
    formatDay: (date) => formatDay(language, date),
    createElementNumber: () => ++last,
  };
  return {
    body: html`${nodes.map((block) => html`${renderBlockMarker(block)}${renderBlocks([block], context)}`)}`,
    notes: notes.bodies,
  };
}

/** Renders a marker with the key of the block that follows. The frame removes it again. */
export function renderBlockMarker({ key }: Block): Markup | false {
  return key !== undefined && html`<a data-block="${key}"></a>`;
}
