// Who may show the spaces of a site to more people. Publishing a site, widening its audience or removing a condition
// takes the right to manage each space that is shown, and the source of a translation. Showing the spaces to fewer
// people, or to nobody because the site is not published, takes only the right to edit the site.

import { DocsError } from "../../../errors";
import type { Reader } from "../../../storage/transaction";
import { type NodePath, nodes, readNodePaths } from "../../library/tree/records";
import { canPublishSpace, getNodeRole, loadViewer, type Viewer } from "../../library/tree/rules";
import type { SiteRecord, SiteSpaceRecord, SiteVisibility } from "../records";
import { getSiteSpaces, getSpaceIds, isSection, readStructure, type Structure } from "../structure/structure";

/** Who shows something. */
export interface CallerContext {
  readonly tx: Reader;
  readonly actor: { readonly user: { readonly id: string } };
}

/**
 * Refuses to show spaces to more people unless the caller may manage each of them, also those in the trash, which may
 * be restored. The refusal names only spaces that the caller may see.
 */
export async function checkMayShowSpaces(context: CallerContext, spaces: readonly string[]): Promise<void> {
  if (spaces.length === 0) return;
  const { viewer, refused } = await findRefusedSpaces(context, spaces);
  if (refused.length === 0) return;
  const seen = refused.filter((path) => getNodeRole(viewer, path) !== null).slice(0, MAX_ISSUES);
  const issues = seen.map(([{ id, title }]) => ({
    path: `spaces.${id}`,
    message: `You need the role create on "${title}", and on what it is a translation of`,
  }));
  throw new DocsError("not_yours_to_show", issues.length === 0 ? {} : { issues });
}

/** The most spaces that a refusal names. */
const MAX_ISSUES = 20;

/** The caller, and those of the spaces that they may not show to more people. */
async function findRefusedSpaces(
  context: CallerContext,
  spaces: readonly string[],
): Promise<{ viewer: Viewer; refused: NodePath[] }> {
  // The caller's role and grants are checked by the commit. The spaces may be too many to check one by one. Their
  // places in the tree are one check for all; of each space the state at one moment is used.
  const viewer = await loadViewer(context.tx, context.actor.user.id);
  if (viewer.organizationRole === "admin") return { viewer, refused: [] };
  const tx = await nodes.readGuarded(context.tx, "folders", [[]]);
  const found = await nodes.getMany(
    tx,
    spaces.map((id) => [id]),
  );
  const paths = await readNodePaths(
    tx,
    found.flatMap((node) => (node ? [node] : [])),
  );
  return { viewer, refused: paths.filter((path) => !canPublishSpace(viewer, path)) };
}

/** The same for all spaces of a published site, when its audience grows. */
export async function checkMayShowSite(context: CallerContext, site: SiteRecord): Promise<void> {
  if (site.published) await checkMayShowSpaces(context, getSpaceIds(await readStructure(context.tx, site)));
}

/** Whether the caller may show all spaces of a site, published or not. */
export async function canShowAllSpaces(context: CallerContext, site: SiteRecord): Promise<boolean> {
  const { refused } = await findRefusedSpaces(context, getSpaceIds(await readStructure(context.tx, site)));
  return refused.length === 0;
}

/** Whether a change of a site may admit new visitors, or show them something new. */
export function isAudienceWidened(before: SiteRecord, after: SiteRecord): boolean {
  if (!after.published) return false;
  if (!before.published || !isNarrower(before.visibility, after.visibility)) return true;
  // With claims and without them, different conditions hold.
  return before.adaptiveContent !== after.adaptiveContent;
}

/** Whether an audience is part of the one before. A visitor with a key may have no JWT, and the other way around. */
function isNarrower(before: SiteVisibility, after: SiteVisibility): boolean {
  return before === after || before === "public" || (before === "unlisted" && after !== "public");
}

/**
 * The spaces that a changed structure newly shows to some visitors: new spaces, and those with fewer or other
 * conditions.
 */
export function listNewlyShownSpaces(before: Structure, after: Structure): string[] {
  const known = new Map(getSiteSpaces(before).map((item) => [item.space, listConditions(before, item)]));
  return getSiteSpaces(after)
    .filter((item) => {
      const held = listConditions(after, item);
      return known.get(item.space)?.every((condition) => held.includes(condition)) !== true;
    })
    .map(({ space }) => space);
}

function listConditions(structure: Structure, { parent, condition }: SiteSpaceRecord): string[] {
  const section = parent === null ? undefined : structure.get(parent);
  return [condition, isSection(section) ? section.condition : null].filter((it) => it !== null);
}
