// What the references of a page lead to, for one visitor: pages and spaces of the same site, files and public
// specifications. Each one is looked up by its id, so the cost grows with the references and not with the space. What the
// visitor does not see is left out, and so are users and collections, of which visitors learn nothing.

import type { ContentRef } from "../../../content/document";
import type { PageEntry } from "../../../content/revision/entries";
import { buildPagePath, type RevisionView, type WithId } from "../../../content/revision/view";
import { ANONYMOUS } from "../../../operation/actor";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { omitUndefined } from "../../../utils/objects";
import { specNamed } from "../../content/openapi-specs/records";
import { specView } from "../../content/openapi-specs/views";
import type { UrlSigningContext } from "../../content/revisions/download-urls";
import { createFileView } from "../../content/revisions/views";
import { type LinkPage, resolveLinkPageUrls } from "../addresses/link-pages";
import { getPageUrls } from "../addresses/page-urls";
import { findSpaceOnSite, openVisibleSpace, type SpaceOnSite } from "../addresses/targets";
import { formatVisitReader } from "../audience/visit-tokens";
import { evaluateTexts } from "../customization/evaluate-texts";
import { type PublishedSiteContext, type PublishedSiteSpaceContext, presentPageName } from "./page-views";
import type { PublishedReference } from "./published-schema";
import type { VisiblePages } from "./visible-pages";
import { asNonMember } from "./visitor-content";

/** A page that is read on a site. */
export interface PublishedPageContext
  extends PublishedSiteContext,
    PublishedSiteSpaceContext,
    Omit<UrlSigningContext, "actor"> {
  readonly page: WithId<PageEntry>;
  readonly view: RevisionView;
  readonly sight: VisiblePages;
}

/** What references lead to, each once, in the order of the references. */
export async function presentReferences(
  reading: PublishedPageContext,
  refs: Iterable<ContentRef>,
): Promise<PublishedReference[]> {
  const spaceOf = spacesOn(reading);
  const found: PublishedReference[] = [];
  for (const ref of new Map(Array.from(refs, (it) => [nameOf(it), it])).values()) {
    await yieldToEventLoop();
    const it = await targetOf(reading, spaceOf, ref);
    if (it) found.push(it);
  }
  return found;
}

/** References are the same when they have the same members. */
function nameOf(ref: ContentRef): string {
  return JSON.stringify(Object.entries(ref).sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Space = SpaceOnSite & { readonly view: RevisionView; readonly sight: VisiblePages };
type SpaceOf = (id: string) => Promise<Space | undefined>;

/** The spaces that references lead into, each looked up once. */
function spacesOn(reading: PublishedPageContext): SpaceOf {
  const known = new Map<string, Promise<Space | undefined>>();
  known.set(reading.space.id, Promise.resolve(reading));
  const find = async (id: string) => {
    const seen = await findSpaceOnSite(reading, id);
    const content = seen && (await openVisibleSpace(reading, seen.space));
    return content && { ...seen, ...content };
  };
  return (id) => {
    const space = known.get(id) ?? find(id);
    known.set(id, space);
    return space;
  };
}

/** What a reference leads to; undefined when the visitor does not see it. */
async function targetOf(
  reading: PublishedPageContext,
  spaceOf: SpaceOf,
  ref: ContentRef,
): Promise<PublishedReference | undefined> {
  switch (ref.kind) {
    case "page":
    case "anchor": {
      const space = await spaceOf(ref.space ?? reading.space.id);
      return space && pageReference(reading, space, ref);
    }
    case "space": {
      const space = await spaceOf(ref.space);
      return space && spaceReference(reading, space, ref);
    }
    case "file":
      return fileReference(reading, ref);
    case "openapi":
      return specReference(reading, ref);
    default:
      return undefined;
  }
}

async function pageReference(
  reading: PublishedPageContext,
  space: Space,
  ref: Extract<ContentRef, { kind: "page" | "anchor" }>,
): Promise<PublishedReference | undefined> {
  const way = await space.sight.getAncestry(ref.page ?? reading.page.id);
  if (!way) return undefined;
  const page = presentPageName(reading, space.siteSpace, way[0]!, buildPagePath(way));
  const anchor = ref.kind === "anchor" ? ((await space.view.findAnchor(page.id, ref.anchor)) ?? ref.anchor) : "";
  const { published } = page.urls;
  const href =
    way[0]!.target && (await resolveLinkPageUrls({ ...reading, ...space }, [way[0] as LinkPage])).get(page.id);
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

function spaceReference(
  reading: PublishedPageContext,
  { siteSpace, space }: SpaceOnSite,
  ref: Extract<ContentRef, { kind: "space" }>,
): PublishedReference {
  const title = evaluateTexts(space.title, reading.visitor.claims);
  return {
    kind: "space",
    ref,
    siteSpace: siteSpace.id,
    title,
    urls: getPageUrls(reading, reading.structure, siteSpace, ""),
  };
}

/** A file of the space. The visitor reads the page, so they see it. Its URL is signed for them, whoever asks. */
async function fileReference(
  reading: PublishedPageContext,
  ref: Extract<ContentRef, { kind: "file" }>,
): Promise<PublishedReference | undefined> {
  const file = ref.space === undefined ? await reading.view.getFile(ref.file) : undefined;
  if (!file) return undefined;
  const actor = { user: { ...ANONYMOUS.user, id: formatVisitReader(reading.visitor.admission) } };
  return {
    kind: "file",
    ref,
    file: createFileView({ ...reading, actor, me: undefined, query: { metadata: false } }, file),
  };
}

/** A public specification. The visitor reads the page that names it. */
async function specReference(
  reading: PublishedPageContext,
  ref: Extract<ContentRef, { kind: "openapi" }>,
): Promise<PublishedReference | undefined> {
  const spec = await specNamed(reading.tx, ref.spec);
  if (spec?.visibility !== "public") return undefined;
  const { organization, me, ownedTeams } = asNonMember(reading);
  return {
    kind: "openapi",
    ref,
    openAPISpec: specView({ organization, me, ownedTeams, urls: reading.urls, isVisited: true }, spec),
  };
}
