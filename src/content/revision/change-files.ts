// The changes of a batch that are about files, variables and reusable contents.

import { omitUndefined } from "../../utils/objects";
import { describeFile } from "../files";
import { addNumberToPath, findFreeNumber } from "../free-number";
import { createSlug } from "../slugs";
import { type Batch, defineRef, queueText } from "./batch";
import { type DocumentInput, getInputText } from "./document-input";
import type { Draft } from "./draft";
import { type FileEntry, keys, type ReusableEntry, type VariableValue } from "./entries";
import { ChangeError } from "./errors";
import { removeTextIndex } from "./texts";
import type { WithId } from "./view";

/** A file with its bytes. */
export interface FileInput {
  readonly name: string;
  readonly contentType?: string | undefined;
  readonly ref?: string | undefined;
  readonly bytes: Uint8Array;
}

export type FileChange =
  | { operation: "insert_files"; files: readonly FileInput[] }
  | { operation: "delete_files" | "keep_files"; files: readonly string[] }
  | { operation: "set_variables"; variables: Readonly<Record<string, VariableValue | null>> }
  | { operation: "insert_reusable_content"; title: string; document: DocumentInput; ref?: string | undefined }
  | {
      operation: "update_reusable_content";
      reusableContent: string;
      title?: string | undefined;
      document?: DocumentInput | undefined;
    }
  | { operation: "delete_reusable_content"; reusableContent: string };

type FileListChange = { readonly files: readonly string[] };
type FileOperation<Name> = Extract<FileChange, { operation: Name }>;

export async function insertFiles(batch: Batch, change: FileOperation<"insert_files">): Promise<void> {
  const { draft, tools, insertedFiles } = batch;
  for (const { name, contentType, ref, bytes } of change.files) {
    const id = tools.newId("file");
    const description = describeFile(bytes, { name, ...omitUndefined({ contentType }) });
    const path = await findFreePath(draft, `.gitbook/assets/${description.name}`);
    const object = draft.storeObject(bytes);
    const entry: FileEntry = { ...description, size: bytes.length, object, path, createdAt: tools.now };
    draft.put(keys.file(id), entry);
    draft.put(keys.filePath(path), { file: id });
    defineRef(batch, ref, { kind: "file", id });
    insertedFiles.push({ id, ...omitUndefined({ ref }) });
  }
}

export async function deleteFiles({ draft }: Batch, change: FileListChange): Promise<void> {
  for (const [i, id] of change.files.entries()) {
    const { path } = await getFileOrThrow(draft, id, i);
    draft.delete(keys.file(id));
    draft.delete(keys.filePath(path));
  }
}

/** Confirms that files stay. This resolves a conflict that asks whether they should. */
export async function keepFiles({ draft }: Batch, change: FileListChange): Promise<void> {
  for (const [i, id] of change.files.entries()) await getFileOrThrow(draft, id, i);
}

async function getFileOrThrow(draft: Draft, id: string, index: number): Promise<WithId<FileEntry>> {
  const file = await draft.getFile(id);
  if (!file) throw new ChangeError(`files.${index}`, "There is no such file");
  return file;
}

export async function setVariables({ draft }: Batch, change: FileOperation<"set_variables">): Promise<void> {
  for (const [name, value] of Object.entries(change.variables)) {
    if (value === null) draft.delete(keys.variable(name));
    else draft.put(keys.variable(name), { name, value });
  }
}

export async function insertReusable(batch: Batch, change: FileOperation<"insert_reusable_content">): Promise<void> {
  const { draft, tools } = batch;
  const { title, ref } = change;
  const id = tools.newId("reusableContent");
  const path = await findFreePath(draft, `.gitbook/includes/${createSlug(title)}.md`);
  const entry: ReusableEntry = { title, body: "", path, createdAt: tools.now, updatedAt: tools.now };
  draft.put(keys.reusable(id), entry);
  draft.put(keys.filePath(path), { reusable: id });
  queueText(batch, id, "reusable", await getInputText(batch, change.document));
  defineRef(batch, ref, { kind: "reusable", id });
  batch.outcomes.push({ object: "created_reusable_content", ...omitUndefined({ ref }), reusableContent: id });
}

export async function updateReusable(batch: Batch, change: FileOperation<"update_reusable_content">): Promise<void> {
  const { draft, tools } = batch;
  const { id, ...before } = await getReusableOrThrow(batch, change.reusableContent);
  draft.put(keys.reusable(id), { ...before, title: change.title ?? before.title, updatedAt: tools.now });
  if (change.document) {
    const text = batch.pendingTexts.get(id)?.text ?? (await tools.readText(before.body));
    queueText(batch, id, "reusable", await getInputText(batch, change.document, { text, source: id }));
  }
  batch.outcomes.push({ object: "updated_reusable_content", reusableContent: id });
}

export async function deleteReusable(batch: Batch, change: FileOperation<"delete_reusable_content">): Promise<void> {
  const { draft } = batch;
  const { id, path } = await getReusableOrThrow(batch, change.reusableContent);
  draft.delete(keys.reusable(id));
  draft.delete(keys.filePath(path));
  await removeTextIndex(draft, id);
  batch.outcomes.push({ object: "deleted_reusable_content", reusableContent: id });
}

async function getReusableOrThrow(batch: Batch, name: string): Promise<WithId<ReusableEntry>> {
  const target = batch.refs.get(name);
  const reusable = await batch.draft.getReusable(target?.kind === "reusable" ? target.id : name);
  if (!reusable) throw new ChangeError("reusableContent", "There is no such reusable content");
  return reusable;
}

/** Returns the path, or the first free one with a number before its ending: `logo.png`, `logo-1.png` and so on. */
export async function findFreePath(draft: Draft, path: string): Promise<string> {
  const isTaken = async (n: number) => (await draft.get(keys.filePath(addNumberToPath(path, n)))) !== undefined;
  return addNumberToPath(path, await findFreeNumber(isTaken));
}
