// Content references: the target of a link and its position, as far as the caller may see them. A thing that is hidden
// from the caller looks the same as one that does not exist.

import type * as v from "valibot";
import type { ContentRef } from "../../../content/document";
import type { RevisionView } from "../../../content/revision/view";
import { createValidationError } from "../../../errors";
import { followMoves } from "../../../operation/moved-error";
import { isRoleAtLeast } from "../../../operation/roles";
import type { TargetContext } from "../../../operation/target";
import { CODE_LENGTH, getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
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
import type { ContentReference, LinkLocation, Reference } from "./schema";
import { fileView, pageFields, pathTo } from "./views";

/** A content reference on the wire. */
export type FullReference = v.InferInput<typeof ContentReference>;
type Location = v.InferInput<typeof LinkLocation>;
type ReusableReference = Extract<Location, { readonly kind: "reusable-content" }>;

/** What resolving references needs. */
export interface Looking extends Reading {
  readonly directory: Reader;
  readonly actor: TargetContext["actor"];
  readonly params: TargetContext["params"];
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
      if (!ref || !isOutside(ref) || (await outsideReference({ ...context, query: {} }, ref as ContentRef))) continue;
      throw createValidationError(`body.changes.${i}.${name}`, "There is no such thing, or you may not see it");
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

/** The organization and the space that content is in. */
async function home(context: InTree & Pick<Looking, "urls" | "tx">) {
  const space = await spaceView(context.tx, context, context.urls);
  return { organization: organizationView(context, context.urls), space };
}

type PageFields = Awaited<ReturnType<typeof pageFields>>;

/** References into one content. Its organization and space are read once, and each page once, however often it is named. */
export interface ContentReferences {
  readonly getHome: () => ReturnType<typeof home>;
  readonly getPage: (id: string) => Promise<PageFields | undefined>;
}

export function createContentReferences(context: Looking, view: RevisionView): ContentReferences {
  const known = new Map<string, Promise<PageFields | undefined>>();
  const find = async (id: string) => {
    const page = await view.getPage(id);
    return page && pageFields(context, view, page, await pathTo(view, id));
  };
  let here: ReturnType<typeof home> | undefined;
  return {
    getHome() {
      here ??= home(context);
      return here;
    },
    getPage(id) {
      const found = known.get(id) ?? find(id);
      known.set(id, found);
      return found;
    },
  };
}

/** The position of a link: a block of a page, or a reusable content. */
export async function locationReference(
  references: ContentReferences,
  view: RevisionView,
  source: string,
  block: string,
): Promise<Location | undefined> {
  const page = await references.getPage(source);
  if (page)
    return { kind: "page", ...(await references.getHome()), page, internalLocation: { type: "node", node: block } };
  return reusableReference(references, view, source);
}

async function reusableReference(
  references: ContentReferences,
  view: RevisionView,
  id: string,
): Promise<ReusableReference | undefined> {
  const found = await view.getReusable(id);
  if (!found) return undefined;
  const reusableContent = { object: "reusable-content" as const, id, title: found.title };
  return { kind: "reusable-content", ...(await references.getHome()), reusableContent };
}

/** The target of a reference inside the content; undefined when there is none that the caller may see. */
export async function targetReference(
  context: Looking,
  view: RevisionView,
  ref: ContentRef,
  references: ContentReferences,
  source?: string,
): Promise<FullReference | undefined> {
  switch (ref.kind) {
    case "url":
      return { kind: "url", url: ref.url };
    case "file": {
      const file = await view.getFile(ref.file);
      return file && { kind: "file", ...(await references.getHome()), file: fileView(context, file) };
    }
    case "page":
      return ref.space === undefined ? pageReference(references, ref.page) : outsideReference(context, ref);
    case "anchor":
      return pageReference(references, ref.page ?? source ?? "", ref.anchor);
    case "reusable-content":
      return reusableReference(references, view, ref.reusableContent);
    default:
      return outsideReference(context, ref);
  }
}

async function pageReference(
  references: ContentReferences,
  id: string,
  anchor?: string,
): Promise<FullReference | undefined> {
  const page = await references.getPage(id);
  if (!page) return undefined;
  const internalLocation = anchor === undefined ? {} : { internalLocation: { type: "anchor" as const, anchor } };
  return { kind: "page", ...(await references.getHome()), page, ...internalLocation };
}

/** The target of a reference to something outside the space. */
export async function outsideReference(context: Looking, ref: ContentRef): Promise<FullReference | undefined> {
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
  return pageReference(createContentReferences(inside, viewIn(objects, revision)), ref.page);
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
  if (!isRoleAtLeast(me?.role ?? null, "read")) return undefined;
  const user = (await activeMember(tx, id)) && (await users.get(directory, id));
  return user && { kind: "user", user: userView(user, urls) };
}

/** A space or a collection that the caller may see, in whichever partition it is. */
async function see(
  { tx, peek, actor, now, directory, params, organization, secrets, objects, jobContext }: Looking,
  id: string,
  type: NodeRecord["type"],
): Promise<{ readonly it: InTree; readonly tx: Reader } | undefined> {
  const here = partitionOf(organization.id);
  const born = parsePartitionCode(type, id);
  return followMoves(born && getPartitionByCode(born), async (partition, cameFrom) => {
    const reader = partition === here && cameFrom === undefined ? tx : await peek(partition);
    const code = partition.slice(-CODE_LENGTH);
    const asked = {
      directory,
      actor,
      params,
      query: {},
      now,
      partitionCode: code,
      forwardedFrom: cameFrom,
      peek,
      secrets,
      ports: jobContext.ports,
    };
    const it = await enterTree({ ...asked, tx: reader, objects: objects.at(reader) }, id, type);
    return it && isRoleAtLeast(it.role, "read") && !isTrashed(it.path) ? { it, tx: reader } : undefined;
  });
}
