// The changes of a batch that are about pages.

import { omitUndefined } from "../../utils/objects";
import type { ContentRef } from "../document";
import { updatePageSource } from "../page-source";
import { type Batch, defineRef, resolvePageId } from "./batch";
import { type ComputedDefinition, getDefaultTitle, serializeDefinition } from "./computed";
import { type DocumentInput, getInputText } from "./document-input";
import { addPageToTree, movePageInTree, removePageFromTree, updatePageInTree } from "./edit-page-tree";
import { DEFAULT_LAYOUT, keys, type LayoutSettings, type PageEntry } from "./entries";
import { ChangeError } from "./errors";
import { mergePageFields, type PageFieldInput, parseStatedFields, pickPageFields, toPageSourceChanges } from "./fields";
import { revertBlocks } from "./revert-blocks";
import type { WithId } from "./view";

interface PlacementInput {
  /** The id of a page, or a ref of the batch. Null: the top. */
  readonly into?: string | null | undefined;
  /** The index among the siblings. */
  readonly at?: number | undefined;
}

type BasicFieldInput = Pick<PageFieldInput, "slug" | "emoji" | "icon" | "hidden" | "condition"> & {
  readonly title: string;
  readonly ref?: string | undefined;
};

type ComputedInput = Pick<ComputedDefinition, "type"> & {
  readonly [name in "props" | "dependencies"]?: ComputedDefinition[name] | undefined;
};

interface PageContentInput {
  readonly document?: DocumentInput | undefined;
  readonly computed?: ComputedInput | undefined;
}

interface NewPageInput extends PageContentInput {
  /** Default: `document`. */
  readonly type?: "document" | "computed" | undefined;
}

export type PageChange =
  | (PageFieldInput & PlacementInput & NewPageInput & { operation: "insert_page"; ref?: string | undefined })
  | (PageFieldInput & PlacementInput & PageContentInput & { operation: "update_page"; page: string })
  | (PlacementInput & { operation: "move_page"; page: string })
  | { operation: "delete_page"; page: string }
  | { operation: "revert_page"; page: string; revision?: string | undefined; block?: readonly string[] | undefined }
  | (BasicFieldInput & { operation: "insert_group"; at?: number | undefined })
  | (BasicFieldInput & PlacementInput & { operation: "insert_link"; target: ContentRef });

type PageOperation<Name> = Extract<PageChange, { operation: Name }>;

const UNTITLED = "Untitled";
const ONLY_COMPUTED = "Only a page of the type `computed` is computed from something";

/** Functions that apply the changes, by their operation. */
export const pageHandlers: {
  readonly [Name in PageChange["operation"]]: (batch: Batch, change: PageOperation<Name>) => Promise<void>;
} = {
  async insert_page(batch, change) {
    const { slug } = change;
    if (change.type === "computed") {
      if (!change.computed) throw new ChangeError("computed", "Expected what the page is computed from");
      if (change.document) throw new ChangeError("document", "Only a document has a text");
      const computed = serializeComputedInput(change.computed);
      const fields = mergePageFields({}, await resolveFields(batch, change));
      const title = change.title ?? getDefaultTitle(computed);
      await addPage(batch, change, { type: "computed", ...fields, title, slug, computed });
      return;
    }
    if (!change.document) throw new ChangeError("document", "Expected a document");
    if (change.computed) throw new ChangeError("computed", ONLY_COMPUTED);
    const text = await getInputText(batch, change.document);
    const stated = parseStatedFields(text);
    const fields = mergePageFields({}, { ...(await resolveFields(batch, change)), ...stated.fields });
    const title = stated.fields.title || change.title || UNTITLED;
    const id = await addPage(batch, change, { type: "document", ...fields, title, slug, stated: stated.names });
    batch.pendingTexts.set(id, { index: batch.index, text, kind: "page" });
  },

  async insert_group(batch, change) {
    const fields = mergePageFields({}, pickPageFields(change));
    await addPage(batch, { ...change, into: null }, { type: "group", ...fields, title: change.title });
  },

  async insert_link(batch, change) {
    const target = await resolveExistingRef(batch, "target", change.target);
    const fields = mergePageFields({}, pickPageFields(change));
    await addPage(batch, change, { type: "link", ...fields, title: change.title, target });
  },

  async update_page(batch, change) {
    const { draft, tools } = batch;
    const page = await getPageOrThrow(batch, change.page);
    const fields = await resolveFields(batch, change, page);
    if (change.document && page.type !== "document") throw new ChangeError("document", "Only a document has a text");
    if (change.computed && page.type !== "computed") throw new ChangeError("computed", ONLY_COMPUTED);
    const computed = change.computed && serializeComputedInput(change.computed);

    // The text changes with a new document, and with a new value of a field that the text states.
    let stated = { fields: {} as PageFieldInput, names: page.stated ?? [] };
    if (change.document || stated.names.some((name) => name in fields)) {
      const before = await readCurrentText(batch, page);
      const text = change.document
        ? await getInputText(batch, change.document, { text: before, source: page.id })
        : updatePageSource(before, toPageSourceChanges(fields));
      batch.pendingTexts.set(page.id, { index: batch.index, text, kind: "page" });
      stated = parseStatedFields(text);
    }

    const { id, ...entry } = page;
    const next = mergePageFields(entry, { ...fields, ...stated.fields });
    await updatePageInTree(draft, page, {
      ...next,
      ...omitUndefined({ computed }),
      stated: stated.names,
      updatedAt: tools.now,
    });
    if (change.into !== undefined || change.at !== undefined) await moveToPlacement(batch, id, change);
    batch.outcomes.push({ object: "updated_page", page: id });
  },

  async move_page(batch, change) {
    const page = await getPageOrThrow(batch, change.page);
    await moveToPlacement(batch, page.id, change);
    batch.outcomes.push({ object: "updated_page", page: page.id });
  },

  async delete_page(batch, change) {
    const page = await getPageOrThrow(batch, change.page);
    await removePageFromTree(batch.draft, page);
    batch.outcomes.push({ object: "deleted_page", page: page.id });
  },

  /** Reverts a page's fields and text, or some of its blocks. Its place and its slug stay. */
  async revert_page(batch, change) {
    const { draft, tools } = batch;
    const page = await getPageOrThrow(batch, change.page);
    const revision = await tools.findRevision(change.revision);
    if (!revision) throw new ChangeError("revision", "There is no such revision of this content");
    const earlier = await revision.getPage(page.id);
    if (!earlier) throw new ChangeError("page", "That revision does not have the page");

    const { id, ...entry } = page;
    const { id: _, git: __, ...earlierEntry } = earlier;
    const { parent, order, slug, git } = entry;
    let next: PageEntry = change.block ? entry : { ...earlierEntry, parent, order, slug, ...omitUndefined({ git }) };
    if (earlier.body !== undefined && page.type === "document") {
      const earlierText = await tools.readText(earlier.body);
      const text = change.block
        ? revertBlocks(await readCurrentText(batch, page), earlierText, change.block)
        : earlierText;
      batch.pendingTexts.set(id, { index: batch.index, text, kind: "page" });
      const stated = parseStatedFields(text);
      next = { ...mergePageFields(next, stated.fields), stated: stated.names };
    }
    await updatePageInTree(draft, page, { ...next, updatedAt: tools.now });
    batch.outcomes.push({ object: "updated_page", page: id });
  },
};

async function addPage(
  batch: Batch,
  change: PlacementInput & { readonly ref?: string | undefined },
  page: Omit<Parameters<typeof addPageToTree>[3], "createdAt" | "updatedAt">,
): Promise<string> {
  const { draft, tools } = batch;
  const { ref, into = null, at } = change;
  const position = { parent: into === null ? null : resolvePageId(batch, into), index: at };
  const newPage = { ...page, createdAt: tools.now, updatedAt: tools.now };
  const { id } = await addPageToTree(draft, tools.newId("page"), position, newPage);
  defineRef(batch, ref, { kind: "page", id });
  batch.outcomes.push({ object: "created_page", ...omitUndefined({ ref }), page: id });
  return id;
}

async function moveToPlacement(batch: Batch, id: string, { into, at }: PlacementInput): Promise<void> {
  const page = await getPageOrThrow(batch, id);
  let { parent } = page;
  if (into !== undefined) parent = into === null ? null : resolvePageId(batch, into);
  const moved = await movePageInTree(batch.draft, page, { parent, index: at });
  batch.draft.put(keys.page(page.id), { ...moved, updatedAt: batch.tools.now });
}

async function resolveFields(batch: Batch, change: object, before: Partial<PageEntry> = {}): Promise<PageFieldInput> {
  const fields = pickPageFields(change);
  const { layout: given } = fields;
  let layout = given;
  const members = Object.keys(DEFAULT_LAYOUT) as (keyof LayoutSettings)[];
  if (given && members.every((name) => given[name] !== undefined)) {
    // Responses have a complete layout. So if a complete layout comes back, a member that has its default value is not stored, unless
    // the page had stored it before.
    const isExplicit = (name: keyof LayoutSettings) =>
      given[name] !== DEFAULT_LAYOUT[name] || before.layout?.[name] !== undefined;
    layout = Object.fromEntries(members.filter(isExplicit).map((name) => [name, given[name]]));
  }
  const withLayout = { ...fields, ...omitUndefined({ layout }) };
  if (!fields.cover) return withLayout;
  const { ref, refDark, ...rest } = fields.cover;
  const resolvedRefDark = refDark && (await resolveExistingRef(batch, "cover.refDark", refDark));
  const resolvedRef = await resolveExistingRef(batch, "cover.ref", ref);
  return { ...withLayout, cover: { ...rest, ref: resolvedRef, ...omitUndefined({ refDark: resolvedRefDark }) } };
}

/** Resolves the refs of the batch in a reference. Throws if it names something in the content that does not exist. */
async function resolveExistingRef(batch: Batch, member: string, ref: ContentRef): Promise<ContentRef> {
  const { draft } = batch;
  let resolved = ref;
  if (ref.kind === "page" && ref.space === undefined) resolved = { ...ref, page: resolvePageId(batch, ref.page) };
  else if (ref.kind === "file") {
    const file = batch.refs.get(ref.file);
    if (file?.kind === "file") resolved = { ...ref, file: file.id };
  }
  if ("space" in resolved && resolved.space !== undefined) return resolved;
  // Targets of other kinds are outside the content and are not checked.
  let target: object | undefined = resolved;
  if (resolved.kind === "page" || resolved.kind === "anchor")
    target = resolved.page === undefined ? undefined : await draft.getPage(resolved.page);
  else if (resolved.kind === "file") target = await draft.getFile(resolved.file);
  else if (resolved.kind === "reusable-content") target = await draft.getReusable(resolved.reusableContent);
  if (!target) throw new ChangeError(member, "There is nothing there to refer to");
  return resolved;
}

async function getPageOrThrow(batch: Batch, name: string): Promise<WithId<PageEntry>> {
  const page = await batch.draft.getPage(resolvePageId(batch, name));
  if (!page) throw new ChangeError("page", "Page not found");
  return page;
}

/** Reads the text of a document as the batch has changed it so far. */
async function readCurrentText(batch: Batch, page: WithId<PageEntry>): Promise<string> {
  return batch.pendingTexts.get(page.id)?.text ?? (page.body === undefined ? "" : batch.tools.readText(page.body));
}

const sourceType = /^(?:builtin:openapi|integration:[^:\s]+:[^:\s]+)$/;

function serializeComputedInput({ type, props = {}, dependencies = {} }: ComputedInput): string {
  if (!sourceType.test(type))
    throw new ChangeError("computed.type", "Expected `builtin:openapi` or `integration:<name>:<source>`");
  const text = serializeDefinition({ type, props, dependencies });
  if (text === undefined)
    throw new ChangeError("computed", "This is too long, or has too many values inside each other");
  return text;
}
