// What a computed source gives, without a page that names it. Whoever may write such a page may ask: a source is asked
// with any properties, and what it may read is for its integration to say.

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
import { kinds } from "../../../storage/ids";
import { sha256Hex } from "../../../utils/sha256";
import { isApp } from "../../people/members/records";
import { fileIn, type Reading } from "./answers";
import { ComputedSource } from "./changes-schema";
import { computedFrom, expansionFrom, type ReadingComputed } from "./computed-content";
import { integrationSources } from "./computed-sources";
import { content } from "./rules";
import { DocumentShape, Revision } from "./schema";
import { documentOf } from "./texts";
import { allPages, fileView, revisionSummary } from "./views";

const ComputedRequest = v.strictObject({
  source: ComputedSource,
  seed: v.pipe(
    textSchema(1, 256),
    v.description("Equal seeds give equal ids. The id of a computed page gives the ids below it."),
  ),
});

function definitionIn({ source }: v.InferOutput<typeof ComputedRequest>): ComputedDefinition {
  const { type, props = {}, dependencies = {} } = source;
  return { type, props, dependencies };
}

export const computeRevision = defineOperation("POST /spaces/:spaceId/content/computed/revision", {
  summary: "Get the pages and files that a computed source gives",
  target: content,
  right: "edit",
  body: ComputedRequest,
  returns: Revision,
  isReadOnly: true,
  async handle(context) {
    const definition = definitionIn(context.body);
    const page = placeOf(context, context.body.seed, definition);
    const computed = await computedFrom(context, context.space.id, page);
    if (!computed?.isSeenBy(context)) throw createError("computed_source_not_found");
    const { expansion } = await expansionFrom(context.objects, page, computed);
    const view = viewOn(expansion.entries);
    const { number: _, createdBy: __, git: ___, ...summary } = revisionSummary(context, context.revision);
    const files = await view.list({ under: keys.files });
    const showing: Reading = { ...context, query: {} };
    return {
      ...summary,
      type: "computed" as const,
      pages: await allPages(showing, view, page.id),
      files: files.map((row) => fileView(showing, fileIn(row))),
      reusableContents: [],
      variables: {},
    };
  },
});

export const computeDocument = defineOperation("POST /spaces/:spaceId/content/computed/document", {
  summary: "Get the document that a computed source gives",
  target: content,
  right: "edit",
  body: ComputedRequest,
  returns: DocumentShape,
  isReadOnly: true,
  async handle(context) {
    const definition = definitionIn(context.body);
    const { isNamedBy, computeText } = integrationSources.implementation;
    // A script that asks itself would wait for its own answer.
    const mayAsk = isNamedBy(definition) && !isApp(context.me);
    const found = mayAsk ? await computeText(context, definition, context.space.id) : undefined;
    if (!found?.isSeenBy(context)) throw createError("computed_source_not_found");
    const page = placeOf(context, context.body.seed, definition);
    return documentOf(viewOn(new Map()), { id: page.id, body: "", page: undefined }, { text: await found.text() });
  },
});

/** A page that names the source. It is not stored. */
function placeOf({ space }: ReadingComputed & Pick<Reading, "space">, seed: string, definition: ComputedDefinition) {
  const isPage = /^pag_[0-9a-z]{28}$/.test(seed);
  const code = space.id.slice(kinds.space.length, kinds.space.length + 13);
  const id = isPage ? seed : `${kinds.page}${code}${sha256Hex(seed).slice(0, 16)}`;
  const { createdAt, updatedAt } = space;
  const computed = JSON.stringify(definition);
  const page: WithId<PageEntry> = {
    ...{ id, type: "computed", title: "", slug: "", parent: null, order: "0", createdAt, updatedAt, computed },
  };
  return page;
}

/** A view of computed entries alone. */
function viewOn(entries: ReadonlyMap<string, unknown>): RevisionView {
  const list: RevisionReader["list"] = async ({ under }) =>
    [...entries].flatMap(([key, value]) => (key.startsWith(under) ? [{ key, value }] : []));
  return createRevisionView({
    get: async (key) => entries.get(key),
    getMany: async (names) => names.map((key) => entries.get(key)),
    list,
    count: async (part) => (await list(part)).length,
  });
}
