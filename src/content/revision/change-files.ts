// Changes of files, variables and reusable contents.

import { omitUndefined } from "../../utils/objects";
import { describeFile } from "../files";
import { freeNumber, numberedPath } from "../free-number";
import { slugOf } from "../slugs";
import { type Batch, refer, writeText } from "./batch";
import { type DocumentInput, textFrom } from "./bodies";
import type { Draft } from "./draft";
import { type FileEntry, keys, type ReusableEntry, type Variable } from "./entries";
import { ChangeRefused } from "./refused";
import { dropText } from "./texts";
import type { Identified } from "./view";

/** A file as it arrives: its bytes are here already, wherever they came from. */
export interface GivenFile {
  readonly name: string;
  readonly contentType?: string | undefined;
  readonly ref?: string | undefined;
  readonly bytes: Uint8Array;
}

export type FileChange =
  | { operation: "insert_files"; files: readonly GivenFile[] }
  | { operation: "delete_files" | "keep_files"; files: readonly string[] }
  | { operation: "set_variables"; variables: Readonly<Record<string, Variable | null>> }
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
    const path = await freePath(batch.draft, `.gitbook/assets/${described.name}`);
    const object = batch.draft.keep(bytes);
    const entry: FileEntry = { ...described, size: bytes.length, object, path, createdAt: batch.tools.now };
    batch.draft.put(keys.file(id), entry);
    batch.draft.put(keys.filePath(path), { file: id });
    refer(batch, ref, { kind: "file", id });
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

async function fileOf(batch: Batch, id: string, i: number): Promise<Identified<FileEntry>> {
  const file = await batch.draft.file(id);
  if (!file) throw new ChangeRefused(`files.${i}`, "There is no such file");
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
  const path = await freePath(batch.draft, `.gitbook/includes/${slugOf(change.title)}.md`);
  const entry: ReusableEntry = { title: change.title, body: "", path, createdAt: now, updatedAt: now };
  batch.draft.put(keys.reusable(id), entry);
  batch.draft.put(keys.filePath(path), { reusable: id });
  writeText(batch, id, "reusable", await textFrom(batch, change.document));
  refer(batch, change.ref, { kind: "reusable", id });
  const ref = change.ref === undefined ? {} : { ref: change.ref };
  batch.outcomes.push({ object: "created_reusable_content", ...ref, reusableContent: id });
}

export async function updateReusable(batch: Batch, change: Of<"update_reusable_content">): Promise<void> {
  const { id, ...before } = await reusableOf(batch, change.reusableContent);
  const title = change.title ?? before.title;
  batch.draft.put(keys.reusable(id), { ...before, title, updatedAt: batch.tools.now });
  if (change.document) {
    const text = batch.texts.get(id)?.text ?? (await batch.tools.text(before.body));
    writeText(batch, id, "reusable", await textFrom(batch, change.document, { text, source: id }));
  }
  batch.outcomes.push({ object: "updated_reusable_content", reusableContent: id });
}

export async function deleteReusable(batch: Batch, change: Of<"delete_reusable_content">): Promise<void> {
  const { id, path } = await reusableOf(batch, change.reusableContent);
  batch.draft.delete(keys.reusable(id));
  batch.draft.delete(keys.filePath(path));
  await dropText(batch.draft, id);
  batch.outcomes.push({ object: "deleted_reusable_content", reusableContent: id });
}

async function reusableOf(batch: Batch, name: string): Promise<Identified<ReusableEntry>> {
  const referred = batch.refs.get(name);
  const found = await batch.draft.reusable(referred?.kind === "reusable" ? referred.id : name);
  if (!found) throw new ChangeRefused("reusableContent", "There is no such reusable content");
  return found;
}

/** The path, or one with a number before its ending when something else stands there: `logo.png`, `logo-1.png` … */
export async function freePath(draft: Draft, path: string): Promise<string> {
  const isTaken = async (n: number) => (await draft.get(keys.filePath(numberedPath(path, n)))) !== undefined;
  return numberedPath(path, await freeNumber(isTaken));
}
