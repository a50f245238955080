// What changed between two revisions, as a person would say it: pages created, edited, moved and deleted, and the same for
// files, reusable contents and variables. Equal parts of the two are passed over unread.

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

/** A page as it is named in a list of changes. */
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

/** What changed, and how often each thing did. */
export interface RevisionChanges {
  readonly changes: RevisionChange[];
  readonly counts: Record<RevisionChange["type"], number>;
  /** Whether there are more changes than are listed; the counts are of all. */
  readonly more: boolean;
}

/** The most changes that are listed. */
export const MAX_LISTED_CHANGES = 1000;

const types = [
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

/** Tells what changed from one revision to another. */
export async function compareRevisions(source: NodeSource, before: MapRoot, after: MapRoot): Promise<RevisionChanges> {
  const counts = Object.fromEntries(types.map((type) => [type, 0])) as Record<RevisionChange["type"], number>;
  const changes: RevisionChange[] = [];
  const views = { before: createStoredView(source, before), after: createStoredView(source, after) };
  for (const under of [keys.pages, keys.files, keys.reusables, keys.variables]) {
    for await (const { key, before: old, after: now } of diffMaps(source, before, after, { under })) {
      const id = key.slice(under.length);
      for (const describe of describers[under]!(id, old as never, now as never)) {
        counts[describe.type]++;
        if (changes.length < MAX_LISTED_CHANGES) changes.push(await describe.in(views));
      }
    }
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { changes, counts, more: total > changes.length };
}

interface Views {
  readonly before: RevisionView;
  readonly after: RevisionView;
}

/** A change whose paths are looked up only when it is listed. */
interface Found {
  readonly type: RevisionChange["type"];
  readonly in: (views: Views) => Promise<RevisionChange>;
}

const describers: Record<string, (id: string, before: never, after: never) => Found[]> = {
  [keys.pages]: pageChanges,
  [keys.files]: (id, before?: FileEntry, after?: FileEntry) => {
    const { name, contentType, size } = (after ?? before)!;
    return [plain(`file_${verb(before, after)}`, { file: { id, name, contentType, size } })];
  },
  [keys.reusables]: (id, before?: ReusableEntry, after?: ReusableEntry) => {
    const { title } = (after ?? before)!;
    return [plain(`reusable_content_${verb(before, after)}`, { reusableContent: { id, title } })];
  },
  [keys.variables]: (_, before?: VariableEntry, after?: VariableEntry) => {
    const { name } = (after ?? before)!;
    const values = { ...omitUndefined({ before: before?.value, after: after?.value }) };
    return [plain(`variable_${verb(before, after)}`, { variable: { name, ...values } })];
  },
};

function verb(before: unknown, after: unknown): "created" | "edited" | "deleted" {
  if (before === undefined) return "created";
  return after === undefined ? "deleted" : "edited";
}

function plain(type: RevisionChange["type"], members: object): Found {
  return { type, in: async () => ({ type, ...members }) as RevisionChange };
}

/** Fields that change without somebody editing the page. */
const unseen = new Set(["parent", "order", "updatedAt", "createdAt", "stated", "git"]);

function pageChanges(id: string, before?: PageEntry, after?: PageEntry): Found[] {
  if (!before || !after) {
    const type = before ? "page_deleted" : "page_created";
    const in_ = async (views: Views) => ({
      type,
      page: await named(before ? views.before : views.after, id, (before ?? after)!),
    });
    return [{ type, in: in_ as Found["in"] }];
  }
  const found: Found[] = [];
  const attributes = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(
      (name) => !unseen.has(name) && JSON.stringify(before[name as "title"]) !== JSON.stringify(after[name as "title"]),
    )
    .map((name) => (name === "body" ? "document" : name))
    .sort();
  if (attributes.length > 0)
    found.push({
      type: "page_edited",
      in: async ({ after: view }) => ({ type: "page_edited", page: await named(view, id, after), attributes }),
    });
  if (before.parent !== after.parent || before.order !== after.order)
    found.push({
      type: "page_moved",
      in: async (views) => ({
        type: "page_moved",
        page: await named(views.after, id, after),
        from: { parent: before.parent, path: (await views.before.getPagePath(id)) ?? "" },
        to: { parent: after.parent, path: (await views.after.getPagePath(id)) ?? "" },
      }),
    });
  return found;
}

async function named(view: RevisionView, id: string, { type, title }: PageEntry): Promise<ListedPage> {
  return { id, type, title, path: (await view.getPagePath(id)) ?? "" };
}
