// Changes of pages.

import { omitUndefined } from "../../utils/objects";
import type { ContentRef } from "../document";
import { updatePageSource } from "../page-source";
import { type Batch, defineRef, queueText, resolveBatchRef, resolvePageId } from "./batch";
import { type ComputedDefinition, getDefaultTitle, serializeDefinition } from "./computed";
import { type DocumentInput, getInputText } from "./document-input";
import {
  addPageToTree,
  movePageInTree,
  type PagePosition,
  removePageFromTree,
  updatePageInTree,
} from "./edit-page-tree";
import type { PageEntry } from "./entries";
import { ChangeError } from "./errors";
import {
  mergePageFields,
  type PageFieldInput,
  parseStatedFields,
  pickExplicitLayout,
  pickPageFields,
  toPageSourceChanges,
} from "./fields";
import { revertBlocks } from "./revert-blocks";
import type { WithId } from "./view";

interface Placed {
  /** A page's id, or a ref of the batch; null: the root. */
  readonly into?: string | null | undefined;
  /** The index among the siblings. */
  readonly at?: number | undefined;
}

type PlainFields = Pick<PageFieldInput, "slug" | "emoji" | "icon" | "hidden" | "condition"> & {
  readonly title: string;
  readonly ref?: string | undefined;
};

/** What a page is computed from. */
type ComputedInput = Pick<ComputedDefinition, "type"> & {
  readonly [name in "props" | "dependencies"]?: ComputedDefinition[name] | undefined;
};

interface Inserted extends Updated {
  /** Default: `document`. */
  readonly type?: "document" | "computed" | undefined;
}

interface Updated {
  readonly document?: DocumentInput | undefined;
  readonly computed?: ComputedInput | undefined;
}

export type PageChange =
  | (PageFieldInput & Placed & Inserted & { operation: "insert_page"; ref?: string | undefined })
  | (PageFieldInput & Placed & Updated & { operation: "update_page"; page: string })
  | (Placed & { operation: "move_page"; page: string })
  | { operation: "delete_page"; page: string }
  | { operation: "revert_page"; page: string; revision?: string | undefined; block?: readonly string[] | undefined }
  | (PlainFields & { operation: "insert_group"; at?: number | undefined })
  | (PlainFields & Placed & { operation: "insert_link"; target: ContentRef });

type Of<Operation> = Extract<PageChange, { operation: Operation }>;

const UNTITLED = "Untitled";
const ONLY_COMPUTED = "Only a page of the type `computed` is computed from something";

export async function insertPage(batch: Batch, change: Of<"insert_page">): Promise<void> {
  if (change.type === "computed") return insertComputed(batch, change);
  if (!change.document) throw new ChangeError("document", "Expected a document");
  if (change.computed) throw new ChangeError("computed", ONLY_COMPUTED);
  const text = await getInputText(batch, change.document);
  const stated = parseStatedFields(text);
  const fields = mergePageFields({}, { ...(await fieldsOf(batch, change)), ...stated.fields });
  await insert(batch, change, {
    type: "document",
    ...fields,
    title: stated.fields.title || change.title || UNTITLED,
    slug: change.slug,
    stated: stated.names,
  });
  queueText(batch, (batch.outcomes.at(-1) as { page: string }).page, "page", text);
}

async function insertComputed(batch: Batch, change: Of<"insert_page">): Promise<void> {
  if (!change.computed) throw new ChangeError("computed", "Expected what the page is computed from");
  if (change.document) throw new ChangeError("document", "Only a document has a text");
  const computed = definitionText(change.computed);
  const fields = mergePageFields({}, await fieldsOf(batch, change));
  const title = change.title ?? getDefaultTitle(computed);
  await insert(batch, change, { type: "computed", ...fields, title, slug: change.slug, computed });
}

/** The forms of sources that there are. */
const SOURCE = /^(?:builtin:openapi|integration:[^:\s]+:[^:\s]+)$/;

function definitionText({ type, props = {}, dependencies = {} }: ComputedInput): string {
  if (!SOURCE.test(type))
    throw new ChangeError("computed.type", "Expected `builtin:openapi` or `integration:<name>:<source>`");
  const text = serializeDefinition({ type, props, dependencies });
  if (text === undefined)
    throw new ChangeError("computed", "This is too long, or has too many values inside each other");
  return text;
}

export async function insertGroup(batch: Batch, change: Of<"insert_group">): Promise<void> {
  await insert(
    batch,
    { ...change, into: null },
    { type: "group", ...mergePageFields({}, pickPageFields(change)), title: change.title },
  );
}

export async function insertLink(batch: Batch, change: Of<"insert_link">): Promise<void> {
  const target = await presentRef(batch, "target", change.target);
  await insert(batch, change, {
    type: "link",
    ...mergePageFields({}, pickPageFields(change)),
    title: change.title,
    target,
  });
}

export async function updatePage(batch: Batch, change: Of<"update_page">): Promise<void> {
  const page = await pageOf(batch, change.page);
  const fields = await fieldsOf(batch, change, page);
  if (change.document && page.type !== "document") throw new ChangeError("document", "Only a document has a text");
  if (change.computed && page.type !== "computed") throw new ChangeError("computed", ONLY_COMPUTED);
  const computed = change.computed ? { computed: definitionText(change.computed) } : {};
  let stated = { fields: {} as PageFieldInput, names: page.stated ?? [] };
  if (change.document || stated.names.some((name) => name in fields)) {
    const before = await storedText(batch, page);
    const text = change.document
      ? await getInputText(batch, change.document, { text: before, source: page.id })
      : updatePageSource(before, toPageSourceChanges(fields));
    queueText(batch, page.id, "page", text);
    stated = parseStatedFields(text);
  }
  const next = mergePageFields(entryOf(page), { ...fields, ...stated.fields });
  await updatePageInTree(batch.draft, page, { ...next, ...computed, stated: stated.names, updatedAt: batch.tools.now });
  if (change.into !== undefined || change.at !== undefined) await move(batch, page.id, change);
  batch.outcomes.push({ object: "updated_page", page: page.id });
}

export async function movePage(batch: Batch, change: Of<"move_page">): Promise<void> {
  const page = await pageOf(batch, change.page);
  await move(batch, page.id, change);
  batch.outcomes.push({ object: "updated_page", page: page.id });
}

export async function deletePage(batch: Batch, change: Of<"delete_page">): Promise<void> {
  const page = await pageOf(batch, change.page);
  await removePageFromTree(batch.draft, page);
  batch.outcomes.push({ object: "deleted_page", page: page.id });
}

/** Takes a page's fields and text back, or some of its blocks; its place and its slug stay. */
export async function revertPage(batch: Batch, change: Of<"revert_page">): Promise<void> {
  const page = await pageOf(batch, change.page);
  const revision = await batch.tools.findRevision(change.revision);
  if (!revision) throw new ChangeError("revision", "There is no such revision of this content");
  const earlier = await revision.getPage(page.id);
  if (!earlier) throw new ChangeError("page", "That revision does not have the page");
  const { parent, order, slug, git } = page;
  const { git: _, ...then } = entryOf(earlier);
  const next: PageEntry = change.block ? entryOf(page) : { ...then, parent, order, slug, ...omitUndefined({ git }) };
  if (earlier.body !== undefined && page.type === "document") {
    const before = await batch.tools.readText(earlier.body);
    const text = change.block ? revertBlocks(await storedText(batch, page), before, change.block) : before;
    queueText(batch, page.id, "page", text);
    const stated = parseStatedFields(text);
    await updatePageInTree(batch.draft, page, {
      ...mergePageFields(next, stated.fields),
      stated: stated.names,
      ...touched(batch),
    });
  } else await updatePageInTree(batch.draft, page, { ...next, ...touched(batch) });
  batch.outcomes.push({ object: "updated_page", page: page.id });
}

async function insert(
  batch: Batch,
  change: Placed & { readonly ref?: string | undefined },
  page: Omit<Parameters<typeof addPageToTree>[3], "createdAt" | "updatedAt">,
): Promise<void> {
  const { now } = batch.tools;
  const where = whereOf(batch, change, null);
  const added = await addPageToTree(batch.draft, batch.tools.newId("page"), where, {
    ...page,
    createdAt: now,
    updatedAt: now,
  });
  defineRef(batch, change.ref, { kind: "page", id: added.id });
  const ref = change.ref === undefined ? {} : { ref: change.ref };
  batch.outcomes.push({ object: "created_page", ...ref, page: added.id });
}

async function move(batch: Batch, id: string, change: Placed): Promise<void> {
  const page = await pageOf(batch, id);
  const moved = await movePageInTree(batch.draft, page, whereOf(batch, change, page.parent));
  batch.draft.put(`p/${page.id}`, { ...moved, ...touched(batch) });
}

/** A reference with the refs of the batch settled; one inside of the content leads to something that is there. */
async function presentRef(batch: Batch, member: string, ref: ContentRef): Promise<ContentRef> {
  const settled = resolveBatchRef(batch, ref);
  if (!(await isPresent(batch, settled))) throw new ChangeError(member, "There is nothing there to refer to");
  return settled;
}

async function isPresent({ draft }: Batch, ref: ContentRef): Promise<boolean> {
  if ("space" in ref && ref.space !== undefined) return true;
  if (ref.kind === "page" || ref.kind === "anchor")
    return ref.page !== undefined && (await draft.getPage(ref.page)) !== undefined;
  if (ref.kind === "file") return (await draft.getFile(ref.file)) !== undefined;
  if (ref.kind === "reusable-content") return (await draft.getReusable(ref.reusableContent)) !== undefined;
  return true;
}

/** The fields of a change of a page, or of a new one, with the refs of its cover settled. */
async function fieldsOf(batch: Batch, change: object, before: Partial<PageEntry> = {}): Promise<PageFieldInput> {
  const sent = pickPageFields(change);
  const fields = sent.layout ? { ...sent, layout: pickExplicitLayout(sent.layout, before.layout) } : sent;
  if (!fields.cover) return fields;
  const { ref, refDark, ...rest } = fields.cover;
  const dark = refDark && { refDark: await presentRef(batch, "cover.refDark", refDark) };
  return { ...fields, cover: { ...rest, ref: await presentRef(batch, "cover.ref", ref), ...dark } };
}

function touched({ tools }: Batch): { readonly updatedAt: string } {
  return { updatedAt: tools.now };
}

function whereOf(batch: Batch, { into, at }: Placed, otherwise: string | null): PagePosition {
  if (into === undefined) return { parent: otherwise, index: at };
  return { parent: into === null ? null : resolvePageId(batch, into), index: at };
}

async function pageOf(batch: Batch, name: string): Promise<WithId<PageEntry>> {
  const page = await batch.draft.getPage(resolvePageId(batch, name));
  if (!page) throw new ChangeError("page", "There is no such page");
  return page;
}

/** The text of a document as the batch has it by now. */
async function storedText(batch: Batch, page: WithId<PageEntry>): Promise<string> {
  return batch.pendingTexts.get(page.id)?.text ?? (page.body === undefined ? "" : batch.tools.readText(page.body));
}

function entryOf({ id: _, ...entry }: WithId<PageEntry>): PageEntry {
  return entry;
}
