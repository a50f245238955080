// The changes of a batch that are about files, variables and reusable contents.

import { omitUndefined } from "../../utils/objects";
import { describeFile } from "../files";
import { addNumberToPath, findFreeNumber } from "../free-number";
import { createSlug } from "../slugs";
import { type Batch, defineRef } from "./batch";
import { type DocumentInput, getInputText } from "./document-input";
import type { Draft } from "./draft";
import { type FileEntry, keys, type ReusableEntry, type VariableValue } from "./entries";
import { ChangeError } from "./errors";
import { removeTextIndex } from "./texts";
import type { WithId } from "./view";

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

type FileOperation<Name> = FileChange & { operation: Name };

/** Functions that apply the changes, by their operation. */
export const fileHandlers: {
  readonly [Name in FileChange["operation"]]: (batch: Batch, change: FileOperation<Name>) => Promise<void>;
} = {
  async insert_files(batch, change) {
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
  },

  async delete_files({ draft }, change) {
    for (const [i, id] of change.files.entries()) {
      const { path } = await getFileOrThrow(draft, id, i);
      draft.delete(keys.file(id));
      draft.delete(keys.filePath(path));
    }
  },

  /** Confirms that files stay. This resolves a conflict that asks whether they should. */
  async keep_files({ draft }, change) {
    for (const [i, id] of change.files.entries()) await getFileOrThrow(draft, id, i);
  },

  async set_variables({ draft }, change) {
    for (const [name, value] of Object.entries(change.variables)) {
      if (value === null) draft.delete(keys.variable(name));
      else draft.put(keys.variable(name), { name, value });
    }
  },

  async insert_reusable_content(batch, change) {
    const { draft, tools } = batch;
    const { title, ref } = change;
    const id = tools.newId("reusableContent");
    const path = await findFreePath(draft, `.gitbook/includes/${createSlug(title)}.md`);
    const entry: ReusableEntry = { title, body: "", path, createdAt: tools.now, updatedAt: tools.now };
    draft.put(keys.reusable(id), entry);
    draft.put(keys.filePath(path), { reusable: id });
    batch.pendingTexts.set(id, {
      index: batch.index,
      text: await getInputText(batch, change.document),
      kind: "reusable",
    });
    defineRef(batch, ref, { kind: "reusable", id });
    batch.outcomes.push({ object: "created_reusable_content", ...omitUndefined({ ref }), reusableContent: id });
  },

  async update_reusable_content(batch, change) {
    const { draft, tools } = batch;
    const { id, ...before } = await getReusableOrThrow(batch, change.reusableContent);
    draft.put(keys.reusable(id), { ...before, title: change.title ?? before.title, updatedAt: tools.now });
    if (change.document) {
      const text = batch.pendingTexts.get(id)?.text ?? (await tools.readText(before.body));
      batch.pendingTexts.set(id, {
        index: batch.index,
        text: await getInputText(batch, change.document, { text, source: id }),
        kind: "reusable",
      });
    }
    batch.outcomes.push({ object: "updated_reusable_content", reusableContent: id });
  },

  async delete_reusable_content(batch, change) {
    const { draft } = batch;
    const { id, path } = await getReusableOrThrow(batch, change.reusableContent);
    draft.delete(keys.reusable(id));
    draft.delete(keys.filePath(path));
    await removeTextIndex(draft, id);
    batch.outcomes.push({ object: "deleted_reusable_content", reusableContent: id });
  },
};

async function getFileOrThrow(draft: Draft, id: string, index: number): Promise<WithId<FileEntry>> {
  const file = await draft.getFile(id);
  if (!file) throw new ChangeError(`files.${index}`, "There is no such file");
  return file;
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
