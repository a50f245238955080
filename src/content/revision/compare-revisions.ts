// Compares two revisions and describes the changes as a person would: pages created, edited, moved and deleted, and the same
// for files, reusable contents and variables. Equal parts of the two are skipped unread.

import { omitUndefined } from "../../utils/objects";
import { diffMaps, type MapRoot, type NodeSource } from "../prolly-tree";
import { createStoredView } from "./draft";
import {
  type FileEntry,
  keys,
  type PageEntry,
  type ReusableEntry,
  type VariableEntry,
  type VariableValue,
} from "./entries";
import type { RevisionView } from "./view";

/** A page as a list of changes names it. */
export interface ListedPage {
  readonly id: string;
  readonly type: PageEntry["type"];
  readonly title: string;
  readonly path: string;
}

export type RevisionChange =
  | { readonly type: "page_created" | "page_deleted"; readonly page: ListedPage }
  | {
      readonly type: "page_edited";
      readonly page: ListedPage;
      /** The fields that changed; `document` stands for the text. */
      readonly attributes: string[];
    }
  | {
      readonly type: "page_moved";
      readonly page: ListedPage;
      readonly from: { readonly parent: string | null; readonly path: string };
      readonly to: { readonly parent: string | null; readonly path: string };
    }
  | {
      readonly type: "file_created" | "file_edited" | "file_deleted";
      readonly file: {
        readonly id: string;
        readonly name: string;
        readonly contentType: string;
        readonly size: number;
      };
    }
  | {
      readonly type: "reusable_content_created" | "reusable_content_edited" | "reusable_content_deleted";
      readonly reusableContent: { readonly id: string; readonly title: string };
    }
  | {
      readonly type: "variable_created" | "variable_edited" | "variable_deleted";
      readonly variable: { readonly name: string; readonly before?: VariableValue; readonly after?: VariableValue };
    };

export const MAX_LISTED_CHANGES = 1000;

const changeTypes = [
  "page_created",
  "page_edited",
  "page_moved",
  "page_deleted",
  "file_created",
  "file_edited",
  "file_deleted",
  "reusable_content_created",
  "reusable_content_edited",
  "reusable_content_deleted",
  "variable_created",
  "variable_edited",
  "variable_deleted",
] as const;

interface ViewPair {
  readonly before: RevisionView;
  readonly after: RevisionView;
}

/** A change that is described only if it is listed, because its paths have to be looked up. */
interface FoundChange {
  readonly type: RevisionChange["type"];
  readonly describe: (views: ViewPair) => RevisionChange | Promise<RevisionChange>;
}

export async function compareRevisions(source: NodeSource, before: MapRoot, after: MapRoot) {
  const counts = Object.fromEntries(changeTypes.map((type) => [type, 0])) as Record<RevisionChange["type"], number>;
  const changes: RevisionChange[] = [];
  const views = { before: createStoredView(source, before), after: createStoredView(source, after) };
  for (const [under, findChanges] of Object.entries(finders)) {
    for await (const { key, before: oldEntry, after: newEntry } of diffMaps(source, before, after, { under })) {
      const id = key.slice(under.length);
      for (const { type, describe } of findChanges(id, oldEntry as never, newEntry as never)) {
        counts[type]++;
        if (changes.length < MAX_LISTED_CHANGES) changes.push(await describe(views));
      }
    }
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { changes, counts, more: total - changes.length };
}

/** Fields of a page that change without anyone editing the page. */
const unlistedFields = new Set(["parent", "order", "updatedAt", "createdAt", "stated", "git"]);

/** Functions that find the changes of an entry, by the prefix of its key. They run in this order. */
const finders: Record<string, (id: string, before: never, after: never) => FoundChange[]> = {
  [keys.pages]: (id, before?: PageEntry, after?: PageEntry) => {
    const listPage = async (view: RevisionView, { type, title }: PageEntry): Promise<ListedPage> => {
      return { id, type, title, path: (await view.getPagePath(id)) ?? "" };
    };
    if (!before) {
      const type = "page_created";
      return [{ type, describe: async (views) => ({ type, page: await listPage(views.after, after!) }) }];
    }
    if (!after) {
      const type = "page_deleted";
      return [{ type, describe: async (views) => ({ type, page: await listPage(views.before, before) }) }];
    }

    const changes: FoundChange[] = [];
    const attributes = [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter(
        (name) =>
          !unlistedFields.has(name) &&
          JSON.stringify(before[name as "title"]) !== JSON.stringify(after[name as "title"]),
      )
      .map((name) => (name === "body" ? "document" : name))
      .sort();
    if (attributes.length > 0) {
      const type = "page_edited";
      changes.push({
        type,
        describe: async (views) => ({ type, page: await listPage(views.after, after), attributes }),
      });
    }
    if (before.parent !== after.parent || before.order !== after.order) {
      const type = "page_moved";
      changes.push({
        type,
        describe: async (views) => ({
          type,
          page: await listPage(views.after, after),
          from: { parent: before.parent, path: (await views.before.getPagePath(id)) ?? "" },
          to: { parent: after.parent, path: (await views.after.getPagePath(id)) ?? "" },
        }),
      });
    }
    return changes;
  },
  [keys.files]: (id, before?: FileEntry, after?: FileEntry) => {
    const { name, contentType, size } = (after ?? before)!;
    return createEntryChange("file", before, after, { file: { id, name, contentType, size } });
  },
  [keys.reusables]: (id, before?: ReusableEntry, after?: ReusableEntry) => {
    const { title } = (after ?? before)!;
    return createEntryChange("reusable_content", before, after, { reusableContent: { id, title } });
  },
  [keys.variables]: (_, before?: VariableEntry, after?: VariableEntry) => {
    const { name } = (after ?? before)!;
    const values = omitUndefined({ before: before?.value, after: after?.value });
    return createEntryChange("variable", before, after, { variable: { name, ...values } });
  },
};

/** Creates the change of an entry that needs no paths. */
function createEntryChange(
  kind: "file" | "reusable_content" | "variable",
  before: unknown,
  after: unknown,
  entry: object,
): FoundChange[] {
  const verb = before === undefined ? "created" : after === undefined ? "deleted" : "edited";
  const change = { type: `${kind}_${verb}`, ...entry } as RevisionChange;
  return [{ type: change.type, describe: () => change }];
}
