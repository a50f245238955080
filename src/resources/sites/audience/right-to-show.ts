// The right to show the spaces of a site to more people. Publishing a site, widening its audience or removing a condition requires the
// right to manage each space that is shown, and the source of a translation. Showing the spaces to fewer people, or to nobody because
// the site isn't published, only requires the right to edit the site.

import { DocsError } from "../../../errors";
import type { Reader } from "../../../storage/transaction";
import { type NodePath, nodes, readNodePaths } from "../../library/tree/records";
import { canPublishSpace, getNodeRole, loadViewer, type Viewer } from "../../library/tree/rules";
import type { SiteRecord, SiteSpaceRecord } from "../records";
import { getSiteSpaces, getSpaceIds, isSection, readStructure, type Structure } from "../structure/structure";

/** The user who shows spaces. */
export interface CallerContext {
  readonly tx: Reader;
  readonly actor: { readonly user: { readonly id: string } };
}

/**
 * Refuses to show spaces to more people unless the caller may manage each of them. This includes spaces in the trash, which may be
 * restored. The error names only spaces that the caller may see.
 */
export async function checkMayShowSpaces(context: CallerContext, spaces: readonly string[]): Promise<void> {
  if (spaces.length === 0) return;
  const { viewer, refused } = await findRefusedSpaces(context, spaces);
  if (refused.length === 0) return;
  const visible = refused.filter((path) => getNodeRole(viewer, path) !== null).slice(0, MAX_ISSUES);
  const issues = visible.map(([{ id, title }]) => ({
    path: `spaces.${id}`,
    message: `Requires the role \`create\` on "${title}" and on the space that it is translated from`,
  }));
  throw new DocsError("not_yours_to_show", issues.length === 0 ? {} : { issues });
}

/** The limit of spaces that an error names. */
const MAX_ISSUES = 20;

/** Returns the caller, and the spaces that they may not show to more people. */
async function findRefusedSpaces(
  context: CallerContext,
  spaces: readonly string[],
): Promise<{ viewer: Viewer; refused: NodePath[] }> {
  // The commit checks the caller's role and grants. There may be too many spaces to check each of them, so the commit checks the tree
  // as a whole, and the spaces are read as they are now.
  const viewer = await loadViewer(context.tx, context.actor.user.id);
  if (viewer.organizationRole === "admin") return { viewer, refused: [] };
  const tx = await nodes.readGuarded(context.tx, "folders", [[]]);
  const found = await nodes.getMany(tx, spaces);
  const paths = await readNodePaths(
    tx,
    found.flatMap((node) => (node ? [node] : [])),
  );
  return { viewer, refused: paths.filter((path) => !canPublishSpace(viewer, path)) };
}

/** Checks the right for all spaces of a published site, because its audience grows. */
export async function checkMayShowSite(context: CallerContext, site: SiteRecord): Promise<void> {
  if (site.published) await checkMayShowSpaces(context, getSpaceIds(await readStructure(context.tx, site)));
}

export async function canShowAllSpaces(context: CallerContext, site: SiteRecord): Promise<boolean> {
  const { refused } = await findRefusedSpaces(context, getSpaceIds(await readStructure(context.tx, site)));
  return refused.length === 0;
}

/** Checks whether a change of a site may admit new visitors, or show more to some of them. */
export function isAudienceWidened(before: SiteRecord, after: SiteRecord): boolean {
  if (!after.published) return false;
  // No other audience is part of another. For example, a visitor with a share key may have no JWT, and the other way around.
  const [from, to] = [before.visibility, after.visibility];
  const isPartOfBefore = from === to || from === "public" || (from === "unlisted" && to !== "public");
  if (!before.published || !isPartOfBefore) return true;
  // Other conditions are met with claims than without them.
  return before.adaptiveContent !== after.adaptiveContent;
}

/** Returns the spaces that a changed structure newly shows to some visitors: new ones, and those with fewer or other conditions. */
export function listNewlyShownSpaces(before: Structure, after: Structure): string[] {
  const conditionsBefore = new Map(getSiteSpaces(before).map((item) => [item.space, listConditions(before, item)]));
  return getSiteSpaces(after)
    .filter((item) => {
      const conditions = listConditions(after, item);
      return conditionsBefore.get(item.space)?.every((condition) => conditions.includes(condition)) !== true;
    })
    .map(({ space }) => space);
}

function listConditions(structure: Structure, { parent, condition }: SiteSpaceRecord): string[] {
  const section = parent === null ? undefined : structure.get(parent);
  return [condition, isSection(section) ? section.condition : null].filter((it) => it !== null);
}
