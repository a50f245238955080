// Content references: the target of a link and its position, as far as the caller may see them. A thing that is hidden
// from the caller looks the same as one that does not exist.

import type * as v from "valibot";
import type { Ref } from "../../../content/document";
import type { View } from "../../../content/revision/view";
import { invalid } from "../../../errors";
import { following } from "../../../operation/moved";
import type { Scope } from "../../../operation/operation";
import { atLeast } from "../../../roles";
import { CODE_LENGTH, codeOf, organizationPartition } from "../../../store/ids";
import type { Reader } from "../../../store/transaction";
import { collectionView } from "../../library/collections/views";
import { spaceView } from "../../library/spaces/views";
import { isTrashed, type NodeRecord } from "../../library/tree/records";
import { enterTree, type InTree } from "../../library/tree/rules";
import { activeMember } from "../../people/members/records";
import { partitionOf } from "../../people/organizations/records";
import { organization } from "../../people/organizations/rules";
import { organizationView } from "../../people/organizations/views";
import { users, userView } from "../../people/users/records";
import { specNamed } from "../openapi-specs/records";
import { specView } from "../openapi-specs/views";
import type { Reading } from "./answers";
import type { Change } from "./changes-schema";
import { revisions, viewIn } from "./records";
import type { ContentReference, Reference } from "./schema";
import { fileView, pageFields, pathTo } from "./views";

/** A content reference on the wire. */
export type FullReference = v.InferInput<typeof ContentReference>;

/** What resolving references needs. */
export interface Looking extends Reading {
  readonly directory: Reader;
  readonly actor: Scope["actor"];
  readonly params: Scope["params"];
}

/**
 * Refuses references to things outside the space that the caller may not see. References inside are checked by the
 * batch.
 */
export async function checkReferences(context: Omit<Looking, "query">, changes: readonly Change[]): Promise<void> {
  for (const [i, change] of changes.entries()) {
    const given = {
      target: "target" in change ? change.target : undefined,
      "cover.ref": "cover" in change ? change.cover?.ref : undefined,
      "cover.refDark": "cover" in change ? change.cover?.refDark : undefined,
    };
    for (const [name, ref] of Object.entries(given)) {
      if (!ref || !isOutside(ref) || (await elsewhere({ ...context, query: {} }, ref as Ref))) continue;
      throw invalid(`body.changes.${i}.${name}`, "There is no such thing, or you may not see it");
    }
  }
}

function isOutside(ref: v.InferOutput<typeof Reference>): boolean {
  return (
    ref.kind === "user" ||
    ref.kind === "collection" ||
    ref.kind === "openapi" ||
    ("space" in ref && ref.space !== undefined)
  );
}

/** The organization and the space that content is in. A list of links names them once, and its rows do not. */
export async function home(context: InTree & Pick<Looking, "urls" | "tx">) {
  const space = await spaceView(context.tx, context, context.urls);
  return { organization: organizationView(context, context.urls), space };
}

/** The pages of a content as a list names them. Each is looked up once, however often it is named. */
export type PageReferences = (id: string) => Promise<PageFields | undefined>;
type PageFields = Awaited<ReturnType<typeof pageFields>>;

export function pageReferences(context: Looking, view: View): PageReferences {
  const known = new Map<string, Promise<PageFields | undefined>>();
  const find = async (id: string) => {
    const page = await view.page(id);
    return page && pageFields(context, view, page, await pathTo(view, id));
  };
  return (id) => {
    const found = known.get(id) ?? find(id);
    known.set(id, found);
    return found;
  };
}

/** The position of a link: a block of a page, or a reusable content. */
export async function locationReference(
  pages: PageReferences,
  view: View,
  source: string,
  block: string,
): Promise<FullReference | undefined> {
  const page = await pages(source);
  if (page) return { kind: "page", page, internalLocation: { type: "node", node: block } };
  const reusable = await view.reusable(source);
  return reusable && { kind: "reusable-content", reusableContent: reusableOf(source, reusable.title) };
}

function reusableOf(id: string, title: string) {
  return { object: "reusable-content" as const, id, title };
}

/** The target of a reference inside the content; undefined when there is none that the caller may see. */
export async function targetReference(
  context: Looking,
  view: View,
  ref: Ref,
  source?: string,
  pages = pageReferences(context, view),
): Promise<FullReference | undefined> {
  switch (ref.kind) {
    case "url":
      return { kind: "url", url: ref.url };
    case "file": {
      const file = await view.file(ref.file);
      return file && { kind: "file", file: fileView(context, file) };
    }
    case "page":
      return ref.space === undefined ? pageReference(pages, ref.page) : elsewhere(context, ref);
    case "anchor":
      return pageReference(pages, ref.page ?? source ?? "", ref.anchor);
    case "reusable-content": {
      const found = await view.reusable(ref.reusableContent);
      return found && { kind: ref.kind, reusableContent: reusableOf(ref.reusableContent, found.title) };
    }
    default:
      return elsewhere(context, ref);
  }
}

async function pageReference(pages: PageReferences, id: string, anchor?: string): Promise<FullReference | undefined> {
  const page = await pages(id);
  if (!page) return undefined;
  const internalLocation = anchor === undefined ? {} : { internalLocation: { type: "anchor" as const, anchor } };
  return { kind: "page", page, ...internalLocation };
}

/** The target of a reference to something outside the space. */
async function elsewhere(context: Looking, ref: Ref): Promise<FullReference | undefined> {
  if (ref.kind === "user") return userReference(context, ref.user);
  if (ref.kind === "collection") {
    const found = await see(context, ref.collection, "collection");
    const { urls } = context;
    return (
      found && {
        kind: "collection",
        organization: organizationView(found.it, urls),
        collection: collectionView(found.it, urls),
      }
    );
  }
  if (ref.kind === "openapi") return specReference(context, ref.spec);
  if (ref.kind !== "space" && ref.kind !== "page") return undefined;
  const found = await see(context, ref.space!, "space");
  if (!found) return undefined;
  const there = { ...context, ...found.it, tx: found.tx };
  if (ref.kind === "space") return { kind: "space", ...(await home(there)) };
  const space = found.it.path[0] as Extract<NodeRecord, { type: "space" }>;
  const revision = await revisions.get(found.tx, space.id, space.revision);
  if (!revision) return undefined;
  const objects = context.objects.at(found.tx);
  const inside = { ...there, space, revision, objects, isDeleted: false };
  const page = await pageReference(pageReferences(inside, viewIn(objects, revision)), ref.page);
  return page && { ...page, ...(await home(there)) };
}

/** A specification of the organization, for those who may see specifications. */
async function specReference(context: Looking, named: string): Promise<FullReference | undefined> {
  if (!organization.rights.viewOpenAPISpecs(context)) return undefined;
  const spec = await specNamed(context.tx, named);
  return (
    spec && {
      kind: "openapi",
      organization: organizationView(context, context.urls),
      openAPISpec: specView(context, spec),
    }
  );
}

/** A member of the organization, for those who may list its members. */
async function userReference({ tx, directory, me, urls }: Looking, id: string): Promise<FullReference | undefined> {
  if (!atLeast(me?.role ?? null, "read")) return undefined;
  const user = (await activeMember(tx, id)) && (await users.get(directory, id));
  return user && { kind: "user", user: userView(user, urls) };
}

/** A space or a collection that the caller may see, in whichever partition it is. */
async function see(
  { tx, peek, actor, now, directory, params, organization, secrets, objects, work }: Looking,
  id: string,
  type: NodeRecord["type"],
): Promise<{ readonly it: InTree; readonly tx: Reader } | undefined> {
  const here = partitionOf(organization.id);
  const born = codeOf(type, id);
  return following(born && organizationPartition(born), async (partition, cameFrom) => {
    const reader = partition === here && cameFrom === undefined ? tx : await peek(partition);
    const code = partition.slice(-CODE_LENGTH);
    const asked = { directory, actor, params, query: {}, now, code, cameFrom, peek, secrets, parts: work.parts };
    const it = await enterTree({ ...asked, tx: reader, objects: objects.at(reader) }, id, type);
    return it && atLeast(it.role, "read") && !isTrashed(it.path) ? { it, tx: reader } : undefined;
  });
}
