// Changes of files, variables and reusable contents.

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

/** A file as it arrives: its bytes are here already, wherever they came from. */
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

type FilesChange = { readonly files: readonly string[] };
type Of<Operation> = Extract<FileChange, { operation: Operation }>;

export async function insertFiles(batch: Batch, change: Of<"insert_files">): Promise<void> {
  for (const { name, contentType, ref, bytes } of change.files) {
    const id = batch.tools.newId("file");
    const described = describeFile(bytes, { name, ...omitUndefined({ contentType }) });
    const path = await findFreePath(batch.draft, `.gitbook/assets/${described.name}`);
    const object = batch.draft.storeObject(bytes);
    const entry: FileEntry = { ...described, size: bytes.length, object, path, createdAt: batch.tools.now };
    batch.draft.put(keys.file(id), entry);
    batch.draft.put(keys.filePath(path), { file: id });
    defineRef(batch, ref, { kind: "file", id });
    batch.insertedFiles.push({ id, ...omitUndefined({ ref }) });
  }
}

export async function deleteFiles(batch: Batch, change: FilesChange): Promise<void> {
  for (const [i, id] of change.files.entries()) {
    const { path } = await fileOf(batch, id, i);
    batch.draft.delete(keys.file(id));
    batch.draft.delete(keys.filePath(path));
  }
}

/** Marks files as staying. This settles a conflict that asked whether they should. */
export async function keepFiles(batch: Batch, change: FilesChange): Promise<void> {
  for (const [i, id] of change.files.entries()) await fileOf(batch, id, i);
}

async function fileOf(batch: Batch, id: string, i: number): Promise<WithId<FileEntry>> {
  const file = await batch.draft.getFile(id);
  if (!file) throw new ChangeError(`files.${i}`, "There is no such file");
  return file;
}

export async function setVariables(batch: Batch, change: Of<"set_variables">): Promise<void> {
  for (const [name, value] of Object.entries(change.variables)) {
    if (value === null) batch.draft.delete(keys.variable(name));
    else batch.draft.put(keys.variable(name), { name, value });
  }
}

export async function insertReusable(batch: Batch, change: Of<"insert_reusable_content">): Promise<void> {
  const { now } = batch.tools;
  const id = batch.tools.newId("reusableContent");
  const path = await findFreePath(batch.draft, `.gitbook/includes/${createSlug(change.title)}.md`);
  const entry: ReusableEntry = { title: change.title, body: "", path, createdAt: now, updatedAt: now };
  batch.draft.put(keys.reusable(id), entry);
  batch.draft.put(keys.filePath(path), { reusable: id });
  queueText(batch, id, "reusable", await getInputText(batch, change.document));
  defineRef(batch, change.ref, { kind: "reusable", id });
  const ref = change.ref === undefined ? {} : { ref: change.ref };
  batch.outcomes.push({ object: "created_reusable_content", ...ref, reusableContent: id });
}

export async function updateReusable(batch: Batch, change: Of<"update_reusable_content">): Promise<void> {
  const { id, ...before } = await reusableOf(batch, change.reusableContent);
  const title = change.title ?? before.title;
  batch.draft.put(keys.reusable(id), { ...before, title, updatedAt: batch.tools.now });
  if (change.document) {
    const text = batch.pendingTexts.get(id)?.text ?? (await batch.tools.readText(before.body));
    queueText(batch, id, "reusable", await getInputText(batch, change.document, { text, source: id }));
  }
  batch.outcomes.push({ object: "updated_reusable_content", reusableContent: id });
}

export async function deleteReusable(batch: Batch, change: Of<"delete_reusable_content">): Promise<void> {
  const { id, path } = await reusableOf(batch, change.reusableContent);
  batch.draft.delete(keys.reusable(id));
  batch.draft.delete(keys.filePath(path));
  await removeTextIndex(batch.draft, id);
  batch.outcomes.push({ object: "deleted_reusable_content", reusableContent: id });
}

async function reusableOf(batch: Batch, name: string): Promise<WithId<ReusableEntry>> {
  const referred = batch.refs.get(name);
  const found = await batch.draft.getReusable(referred?.kind === "reusable" ? referred.id : name);
  if (!found) throw new ChangeError("reusableContent", "There is no such reusable content");
  return found;
}

/** The path, or one with a number before its ending when something else stands there: `logo.png`, `logo-1.png` … */
export async function findFreePath(draft: Draft, path: string): Promise<string> {
  const isTaken = async (n: number) => (await draft.get(keys.filePath(addNumberToPath(path, n)))) !== undefined;
  return addNumberToPath(path, await findFreeNumber(isTaken));
}
