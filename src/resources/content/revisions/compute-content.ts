// The content of a computed source without a page that names it. Everyone who may write such a page may request it: a source is
// called with any properties, and its integration decides what it may read.

import * as v from "valibot";
import type { ComputedDefinition } from "../../../content/revision/computed";
import { keys, type PageEntry } from "../../../content/revision/entries";
import {
  createRevisionView,
  type RevisionReader,
  type RevisionView,
  type WithId,
} from "../../../content/revision/view";
import { createError } from "../../../errors";
import { textSchema } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { idPrefixes } from "../../../storage/ids";
import { sha256Hex } from "../../../utils/sha256";
import { isInstallationMember } from "../../people/members/records";
import { ComputedSource } from "./changes-schema";
import { type ComputedReadContext, loadComputedSource, loadExpansion } from "./computed-content";
import { integrationSources } from "./computed-sources";
import { loadWholeContent } from "./read-operations";
import { content } from "./rules";
import { DocumentSchema, Revision } from "./schema";
import { readDocumentWithRefs } from "./texts";
import { type ContentReadContext, createFileView, createRevisionSummary, parseFileEntry } from "./views";

const ComputedRequest = v.strictObject({
  source: ComputedSource,
  seed: v.pipe(
    textSchema(1, 256),
    v.description(
      "The seed for IDs: the same seed produces the same IDs. The IDs of child pages are derived from the ID of the computed page.",
    ),
  ),
});

export const computeRevision = defineOperation("POST /spaces/:spaceId/content/computed/revision", {
  summary: "Compute pages and files",
  target: content,
  right: "edit",
  body: ComputedRequest,
  returns: Revision,
  isReadOnly: true,
  async handle(context) {
    const { page } = createSourcePage(context);
    const computed = await loadComputedSource(context, context.space.id, page);
    if (!computed?.isVisibleTo(context)) throw createError("computed_source_not_found");
    const { expansion } = await loadExpansion(context.objects, page, computed);
    const view = createComputedView(expansion.entries);
    const { number: _, createdBy: __, git: ___, ...summary } = createRevisionSummary(context, context.revision);
    const files = await view.list({ under: keys.files });
    const viewContext: ContentReadContext = { ...context, query: {} };
    return {
      ...summary,
      type: "computed" as const,
      pages: await (await loadWholeContent()).buildPageNodes(viewContext, view, page.id),
      files: files.map((row) => createFileView(viewContext, parseFileEntry(row))),
      reusableContents: [],
      variables: {},
    };
  },
});

export const computeDocument = defineOperation("POST /spaces/:spaceId/content/computed/document", {
  summary: "Compute a document",
  target: content,
  right: "edit",
  body: ComputedRequest,
  returns: DocumentSchema,
  isReadOnly: true,
  async handle(context) {
    const { definition, page, body } = createSourcePage(context);
    if (body !== undefined) return readComputedDocument(context, page, body);
    const { isIntegrationSource, computeText } = integrationSources.implementation;
    // A script that calls itself would wait for its own response.
    const mayCompute = isIntegrationSource(definition) && !isInstallationMember(context.me);
    const computed = mayCompute ? await computeText(context, definition, context.space.id) : undefined;
    if (!computed?.isVisibleTo(context)) throw createError("computed_source_not_found");
    const { document } = await readDocumentWithRefs(
      createComputedView(new Map()),
      { id: page.id, body: "", page: undefined },
      { text: await computed.text() },
    );
    return document;
  },
});

/** Creates a page that names the requested source. It is not stored. */
function createSourcePage({
  space,
  body,
}: Pick<ContentReadContext, "space"> & { readonly body: v.InferOutput<typeof ComputedRequest> }) {
  const { source } = body;
  // The seed of a computed document is that of its computed page, and the hash of its text.
  const [, root, text] = /^(pag_[0-9a-z]{28})[.]([0-9a-f]{64})$/.exec(body.seed) ?? [];
  const seed = root ?? body.seed;
  const { type, props = {}, dependencies = {} } = source;
  const definition: ComputedDefinition = { type, props, dependencies };
  const isPage = /^pag_[0-9a-z]{28}$/.test(seed);
  const code = space.id.slice(idPrefixes.space.length, idPrefixes.space.length + 13);
  const id = isPage ? seed : `${idPrefixes.page}${code}${sha256Hex(seed).slice(0, 16)}`;
  const { createdAt, updatedAt } = space;
  const computed = JSON.stringify(definition);
  const page: WithId<PageEntry> = {
    ...{ id, type: "computed", title: "", slug: "", parent: null, order: "0", createdAt, updatedAt, computed },
  };
  return { definition, page, body: text };
}

/** Returns the document of a page that is computed from a computed page, by the hash of its text. */
async function readComputedDocument(
  context: ComputedReadContext & Pick<ContentReadContext, "space">,
  page: WithId<PageEntry>,
  body: string,
) {
  const computed = await loadComputedSource(context, context.space.id, page);
  if (!computed?.isVisibleTo(context)) throw createError("computed_source_not_found");
  const { expansion } = await loadExpansion(context.objects, page, computed);
  const id = expansion.pageIds.find((id) => (expansion.entries.get(keys.page(id)) as PageEntry).body === body);
  if (id === undefined) throw createError("document_not_found");
  const key = expansion.lazyKeys.get(body);
  const text =
    key === undefined ? expansion.texts.get(body)!() : expansion.replaceFileIds(await computed.readText!(key));
  const source = { id, body, page: { ...(expansion.entries.get(keys.page(id)) as PageEntry), id } };
  const { document } = await readDocumentWithRefs(createComputedView(expansion.entries), source, { text });
  return document;
}

/** Creates a view of computed entries alone. */
function createComputedView(entries: ReadonlyMap<string, unknown>): RevisionView {
  const list: RevisionReader["list"] = async ({ under }) =>
    [...entries].flatMap(([key, value]) => (key.startsWith(under) ? [{ key, value }] : []));
  return createRevisionView({
    get: async (key) => entries.get(key),
    getMany: async (names) => names.map((key) => entries.get(key)),
    list,
    count: async (range) => (await list(range)).length,
  });
}
