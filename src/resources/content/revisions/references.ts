// Content references: the target and the position of a link, as far as the caller may see them. A thing that is hidden from the
// caller looks the same as one that does not exist.

import type * as v from "valibot";
import type { ContentRef } from "../../../content/document";
import type { RevisionView } from "../../../content/revision/view";
import { createValidationError } from "../../../errors";
import { followMoves } from "../../../operation/moved-error";
import { isRoleAtLeast } from "../../../operation/roles";
import type { TargetContext } from "../../../operation/target";
import { CODE_LENGTH, getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import { presentCollection } from "../../library/collections/views";
import { presentSpace } from "../../library/spaces/views";
import { isTrashed, type NodeRecord } from "../../library/tree/records";
import { loadNode, type NodeContext } from "../../library/tree/rules";
import { findActiveMember } from "../../people/members/records";
import { findOrganizationPartition } from "../../people/organizations/records";
import { organization } from "../../people/organizations/rules";
import { presentOrganization } from "../../people/organizations/views";
import { presentUser, users } from "../../people/users/records";
import { findSpecByName } from "../openapi-specs/records";
import { presentSpec } from "../openapi-specs/views";
import type { Change } from "./changes-schema";
import { openRevision, revisions } from "./records";
import type { ContentReference, LinkLocation } from "./schema";
import { type ContentReadContext, createFileView, getPagePath, loadPageFields } from "./views";

/** A content reference on the wire. */
export type ResolvedReference = v.InferInput<typeof ContentReference>;
type ResolvedLocation = v.InferInput<typeof LinkLocation>;
type ReusableReference = Extract<ResolvedLocation, { readonly kind: "reusable-content" }>;

/** The context of resolving references. */
export type ReferenceContext = ContentReadContext & Pick<TargetContext, "directory" | "actor" | "params">;

/**
 * Throws if changes refer to things outside the space that the caller may not see. The batch itself checks references inside the
 * space.
 */
export async function checkReferences(
  context: Omit<ReferenceContext, "query">,
  changes: readonly Change[],
): Promise<void> {
  for (const [i, change] of changes.entries()) {
    const refs = {
      target: "target" in change ? change.target : undefined,
      "cover.ref": "cover" in change ? change.cover?.ref : undefined,
      "cover.refDark": "cover" in change ? change.cover?.refDark : undefined,
    };
    for (const [name, ref] of Object.entries(refs)) {
      if (!ref) continue;
      const isOutside =
        ref.kind === "user" ||
        ref.kind === "collection" ||
        ref.kind === "openapi" ||
        ("space" in ref && ref.space !== undefined);
      if (!isOutside) continue;
      if (await resolveOutsideTarget({ ...context, query: {} }, ref as ContentRef)) continue;
      throw createValidationError(`body.changes.${i}.${name}`, "Not found, or you don't have access to it");
    }
  }
}

/** Loads the organization and the space of content, as references show them. */
async function loadHome(context: NodeContext & Pick<ReferenceContext, "urls" | "tx">) {
  const space = await presentSpace(context.tx, context, context.urls);
  return { organization: presentOrganization(context, context.urls), space };
}

type ReferencedPageFields = Awaited<ReturnType<typeof loadPageFields>>;

/** Loads what references into one content show. Its organization, its space and each page are read once. */
export interface ContentReferences {
  readonly getHome: () => ReturnType<typeof loadHome>;
  readonly getPage: (id: string) => Promise<ReferencedPageFields | undefined>;
}

export function createContentReferences(context: ReferenceContext, view: RevisionView): ContentReferences {
  const pages = new Map<string, Promise<ReferencedPageFields | undefined>>();
  const loadPage = async (id: string) => {
    const page = await view.getPage(id);
    return page && loadPageFields(context, view, page, await getPagePath(view, id));
  };
  let home: ReturnType<typeof loadHome> | undefined;
  return {
    getHome() {
      home ??= loadHome(context);
      return home;
    },
    getPage(id) {
      const page = pages.get(id) ?? loadPage(id);
      pages.set(id, page);
      return page;
    },
  };
}

/** Returns the position of a link: a block of a page, or a reusable content. */
export async function resolveLocation(
  references: ContentReferences,
  view: RevisionView,
  source: string,
  block: string,
): Promise<ResolvedLocation | undefined> {
  const page = await references.getPage(source);
  if (page)
    return { kind: "page", ...(await references.getHome()), page, internalLocation: { type: "node", node: block } };
  return resolveReusable(references, view, source);
}

async function resolveReusable(
  references: ContentReferences,
  view: RevisionView,
  id: string,
): Promise<ReusableReference | undefined> {
  const reusable = await view.getReusable(id);
  if (!reusable) return undefined;
  const reusableContent = { object: "reusable-content" as const, id, title: reusable.title };
  return { kind: "reusable-content", ...(await references.getHome()), reusableContent };
}

/** Returns the target of a reference in the content, or undefined if there is none that the caller may see. */
export async function resolveTarget(
  context: ReferenceContext,
  view: RevisionView,
  ref: ContentRef,
  references: ContentReferences,
  source?: string,
): Promise<ResolvedReference | undefined> {
  switch (ref.kind) {
    case "url":
      return { kind: "url", url: ref.url };
    case "file": {
      const file = await view.getFile(ref.file);
      return file && { kind: "file", ...(await references.getHome()), file: createFileView(context, file) };
    }
    case "page":
      return ref.space === undefined ? resolvePage(references, ref.page) : resolveOutsideTarget(context, ref);
    case "anchor":
      return resolvePage(references, ref.page ?? source ?? "", ref.anchor);
    case "reusable-content":
      return resolveReusable(references, view, ref.reusableContent);
    default:
      return resolveOutsideTarget(context, ref);
  }
}

async function resolvePage(
  references: ContentReferences,
  id: string,
  anchor?: string,
): Promise<ResolvedReference | undefined> {
  const page = await references.getPage(id);
  if (!page) return undefined;
  const reference = { kind: "page" as const, ...(await references.getHome()), page };
  return anchor === undefined ? reference : { ...reference, internalLocation: { type: "anchor", anchor } };
}

/** Returns the target of a reference to something outside the space, or undefined if there is none that the caller may see. */
export async function resolveOutsideTarget(
  context: ReferenceContext,
  ref: ContentRef,
): Promise<ResolvedReference | undefined> {
  const { tx, directory, me, urls } = context;
  switch (ref.kind) {
    case "user": {
      // Only those who may list the members of the organization see one.
      if (!isRoleAtLeast(me?.role ?? null, "read")) return undefined;
      const user = (await findActiveMember(tx, ref.user)) && (await users.get(directory, ref.user));
      return user && { kind: "user", user: presentUser(user, urls) };
    }
    case "openapi": {
      if (!organization.rights.viewOpenAPISpecs(context)) return undefined;
      const spec = await findSpecByName(tx, ref.spec);
      if (!spec) return undefined;
      return {
        kind: "openapi",
        organization: presentOrganization(context, urls),
        openAPISpec: presentSpec(context, spec),
      };
    }
    case "collection": {
      const entered = await enterVisible(context, ref.collection, "collection");
      if (!entered) return undefined;
      const { inTree } = entered;
      return {
        kind: "collection",
        organization: presentOrganization(inTree, urls),
        collection: presentCollection(inTree, urls),
      };
    }
    case "space":
    case "page": {
      const entered = await enterVisible(context, ref.space!, "space");
      if (!entered) return undefined;
      const outside = { ...context, ...entered.inTree, tx: entered.tx };
      if (ref.kind === "space") return { kind: "space", ...(await loadHome(outside)) };
      const space = entered.inTree.path[0] as Extract<NodeRecord, { type: "space" }>;
      const revision = await revisions.get(entered.tx, space.id, space.revision);
      if (!revision) return undefined;
      const objects = context.objects.at(entered.tx);
      const outsideContext = { ...outside, space, revision, objects, isDeleted: false };
      return resolvePage(createContentReferences(outsideContext, openRevision(objects, revision)), ref.page);
    }
    default:
      return undefined;
  }
}

/** Returns a space or a collection that the caller may see, in whichever partition it is. */
async function enterVisible(
  context: ReferenceContext,
  id: string,
  type: NodeRecord["type"],
): Promise<{ readonly inTree: NodeContext; readonly tx: Reader } | undefined> {
  const { tx, peek, actor, now, directory, params, organization, secrets, objects, jobContext } = context;
  const homePartition = findOrganizationPartition(organization.id);
  const idCode = parsePartitionCode(type, id);
  return followMoves(idCode && getPartitionByCode(idCode), async (partition, forwardedFrom) => {
    const reader = partition === homePartition && forwardedFrom === undefined ? tx : await peek(partition);
    const scope = {
      tx: reader,
      objects: objects.at(reader),
      directory,
      actor,
      params,
      query: {},
      now,
      partitionCode: partition.slice(-CODE_LENGTH),
      forwardedFrom,
      peek,
      secrets,
      ports: jobContext.ports,
    };
    const inTree = await loadNode(scope, id, type);
    return inTree && isRoleAtLeast(inTree.role, "read") && !isTrashed(inTree.path) ? { inTree, tx: reader } : undefined;
  });
}
