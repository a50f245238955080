// Content without a storage: a line of revisions, with all their objects in memory.

import { type Json, list, memorySource, type NodeSource, type Root } from "../../src/content/prolly-tree";
import { type Applied, applyChanges, type Change } from "../../src/content/revision/changes";
import { createDraft, type Draft, storedView } from "../../src/content/revision/draft";
import type { View } from "../../src/content/revision/view";

const utf8 = new TextDecoder();

/** A content that is changed and saved again and again, with everything in memory. */
export class Content {
  readonly texts = new Map<string, string>();
  readonly source: NodeSource = memorySource(this.texts);
  readonly roots: Root[] = [null];

  get root(): Root {
    return this.roots.at(-1)!;
  }

  text(hash: string): string {
    const text = this.texts.get(hash);
    if (text === undefined) throw new Error(`Nothing was kept under ${hash}.`);
    return text;
  }

  get view(): View {
    return storedView(this.source, this.root);
  }

  /** Makes a batch of changes the next revision. */
  async apply(changes: readonly Change[], newId: (kind: string) => string): Promise<Applied> {
    const draft = createDraft(this.source, this.root);
    const applied = await applyChanges(draft, changes, {
      now: `2026-03-01T09:00:${String(this.roots.length % 60).padStart(2, "0")}.000Z`,
      newId,
      text: async (hash) => this.text(hash),
      revision: async () => (this.roots.length > 1 ? storedView(this.source, this.roots.at(-2)!) : undefined),
    });
    await this.save(draft);
    return applied;
  }

  async save(draft: Draft): Promise<void> {
    const { root, objects } = await draft.finish();
    for (const [hash, kept] of objects) this.texts.set(hash, typeof kept === "string" ? kept : utf8.decode(kept));
    this.roots.push(root);
  }

  async entries(root = this.root): Promise<Map<string, Json>> {
    return new Map((await list(this.source, root)).map(({ key, value }) => [key, value]));
  }
}
