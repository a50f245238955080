// Presents what the references of a page lead to, for one visitor: pages and spaces of the same site, files, and public
// OpenAPI specifications. Each target is looked up by its id, so the cost grows with the number of references and not with the
// size of the space. Targets that the visitor does not see are left out, and so are users and collections, which visitors
// never see.

import type { ContentRef } from "../../../content/document";
import { buildPagePath, type RevisionView } from "../../../content/revision/view";
import { ANONYMOUS } from "../../../operation/actor";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { findSpecByName } from "../../content/openapi-specs/records";
import { presentSpec } from "../../content/openapi-specs/views";
import type { UrlSigningContext } from "../../content/revisions/download-urls";
import { createFileView } from "../../content/revisions/views";
import { getPageUrls } from "../addresses/site-urls";
import { findSpaceOfItem, openVisibleSpace, type SpaceOnSite } from "../addresses/targets";
import { formatVisitReader } from "../audience/visit-tokens";
import { evaluateTexts } from "../customization/evaluate-texts";
import { getSiteSpaces } from "../structure/structure";
import {
  type LinkPage,
  type PublishedSiteContext,
  type PublishedSiteSpaceContext,
  presentPageName,
  resolveLinkPageUrls,
} from "./page-views";
import type { PublishedReference } from "./published-schema";
import { asNonMember, type VisiblePage, type VisiblePages } from "./visible-pages";

/** The context in which a page of a published site is read. */
export interface PublishedPageContext
  extends PublishedSiteContext,
    PublishedSiteSpaceContext,
    Omit<UrlSigningContext, "actor"> {
  readonly page: VisiblePage;
  readonly view: RevisionView;
  readonly visiblePages: VisiblePages;
}

/** A space that references of a page lead into. */
type ReferencedSpace = SpaceOnSite & { readonly view: RevisionView; readonly visiblePages: VisiblePages };

/** Presents the targets of references, each once and in the order of the references. */
export async function presentReferences(
  context: PublishedPageContext,
  refs: Iterable<ContentRef>,
): Promise<PublishedReference[]> {
  const spaces = new Map<string, Promise<ReferencedSpace | undefined>>();
  spaces.set(context.space.id, Promise.resolve(context));
  const loadSpace = async (id: string) => {
    const item = getSiteSpaces(context.structure).find(({ space }) => space === id);
    const found = await findSpaceOfItem(context, item);
    const content = found && (await openVisibleSpace(context, found.space));
    return content && { ...found, ...content };
  };
  const findSpace = (id: string) => {
    const space = spaces.get(id) ?? loadSpace(id);
    spaces.set(id, space);
    return space;
  };

  const references: PublishedReference[] = [];
  // References with the same members are equal.
  const formatKey = (ref: ContentRef) => JSON.stringify(Object.entries(ref).sort(([a], [b]) => (a < b ? -1 : 1)));
  const uniqueRefs = new Map(Array.from(refs, (ref) => [formatKey(ref), ref]));
  for (const ref of uniqueRefs.values()) {
    await yieldToEventLoop();
    const reference = await presentReference(context, findSpace, ref);
    if (reference) references.push(reference);
  }
  return references;
}

/** Presents the target of a reference; undefined if the visitor does not see it. */
async function presentReference(
  context: PublishedPageContext,
  findSpace: (id: string) => Promise<ReferencedSpace | undefined>,
  ref: ContentRef,
): Promise<PublishedReference | undefined> {
  switch (ref.kind) {
    case "page":
    case "anchor": {
      const space = await findSpace(ref.space ?? context.space.id);
      const ancestry = await space?.visiblePages.getAncestry(ref.page ?? context.page.id);
      if (!space || !ancestry) return undefined;
      const target = ancestry[0]!;
      const page = presentPageName(context, space.siteSpace, target, buildPagePath(ancestry));
      const anchor = ref.kind === "anchor" ? ((await space.view.findAnchor(page.id, ref.anchor)) ?? ref.anchor) : "";
      const { published } = page.urls;
      const links = target.target ? [target as LinkPage] : [];
      const href = (await resolveLinkPageUrls({ ...context, ...space }, links)).get(page.id);
      return {
        kind: ref.kind,
        ref,
        siteSpace: space.siteSpace.id,
        page,
        ...omitUndefined({ href }),
        urls:
          published === undefined || anchor === ""
            ? page.urls
            : { published: `${published}#${encodeURIComponent(anchor)}` },
      };
    }
    case "space": {
      const found = await findSpace(ref.space);
      if (!found) return undefined;
      const { siteSpace, space } = found;
      const title = evaluateTexts(space.title, context.visitor.claims);
      const urls = getPageUrls(context, context.structure, siteSpace, "");
      return { kind: "space", ref, siteSpace: siteSpace.id, title, urls };
    }
    case "file": {
      // Visitors see the files of a page that they read. The URL is signed for visitors, whoever the caller is.
      const file = ref.space === undefined ? await context.view.getFile(ref.file) : undefined;
      if (!file) return undefined;
      const actor = { user: { ...ANONYMOUS.user, id: formatVisitReader(context.visitor.admission) } };
      const viewContext = { ...context, actor, me: undefined, query: { metadata: false } };
      return { kind: "file", ref, file: createFileView(viewContext, file) };
    }
    case "openapi": {
      const spec = await findSpecByName(context.tx, ref.spec);
      if (spec?.visibility !== "public") return undefined;
      const { organization, me, ownedTeams } = asNonMember(context);
      const openAPISpec = presentSpec({ organization, me, ownedTeams, urls: context.urls, isVisited: true }, spec);
      return { kind: "openapi", ref, openAPISpec };
    }
    default:
      return undefined;
  }
}
