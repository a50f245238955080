// Content without a storage: a line of revisions, with all their objects in memory.

import {
  createMemorySource,
  type JsonValue,
  listEntries,
  type MapRoot,
  type NodeSource,
} from "../../../src/content/prolly-tree";
import { applyChanges, type BatchChange, type BatchResult } from "../../../src/content/revision/changes";
import { createDraft, createStoredView, type Draft } from "../../../src/content/revision/draft";
import type { RevisionView } from "../../../src/content/revision/view";

const utf8 = new TextDecoder();

/** A content that is changed and saved again and again, with everything in memory. */
export class Content {
  readonly texts = new Map<string, string>();
  readonly source: NodeSource = createMemorySource(this.texts);
  readonly roots: MapRoot[] = [null];

  get root(): MapRoot {
    return this.roots.at(-1)!;
  }

  text(hash: string): string {
    const text = this.texts.get(hash);
    if (text === undefined) throw new Error(`Nothing was kept under ${hash}.`);
    return text;
  }

  get view(): RevisionView {
    return createStoredView(this.source, this.root);
  }

  /** Makes a batch of changes the next revision. */
  async apply(changes: readonly BatchChange[], newId: (kind: string) => string): Promise<BatchResult> {
    const draft = createDraft(this.source, this.root);
    const applied = await applyChanges(draft, changes, {
      now: `2026-03-01T09:00:${String(this.roots.length % 60).padStart(2, "0")}.000Z`,
      newId,
      readText: async (hash) => this.text(hash),
      findRevision: async () => (this.roots.length > 1 ? createStoredView(this.source, this.roots.at(-2)!) : undefined),
    });
    await this.save(draft);
    return applied;
  }

  async save(draft: Draft): Promise<void> {
    const { root, objects } = await draft.finish();
    for (const [hash, kept] of objects) this.texts.set(hash, typeof kept === "string" ? kept : utf8.decode(kept));
    this.roots.push(root);
  }

  async entries(root = this.root): Promise<Map<string, JsonValue>> {
    return new Map((await listEntries(this.source, root)).map(({ key, value }) => [key, value]));
  }
}
