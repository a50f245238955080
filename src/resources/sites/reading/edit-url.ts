// Where readers change the source of a page in its repository, on sites that show it.

import type { PageEntry } from "../../../content/revision/entries";
import type { Reader } from "../../../storage/transaction";
import { type GitSyncRecord, gitSyncs } from "../../content/git-sync/records";
import { getEffectiveCustomization } from "../customization/customization";
import { loadOverrides } from "../customization/customization-records";
import type { PublishedSiteSpaceContext } from "./page-views";

/** The URL of a page in its repository; undefined without one, and where the look of the site does not show it. */
export async function getEditUrl(
  {
    tx,
    site,
    siteSpace,
    space,
  }: Pick<PublishedSiteSpaceContext, "site" | "siteSpace" | "space"> & { readonly tx: Reader },
  { git }: PageEntry,
): Promise<string | undefined> {
  const sync = git && (await gitSyncs.get(tx, space.id));
  if (!sync?.agreed || sync.treeUrl === undefined) return undefined;
  const ofSite = await loadOverrides(tx, site.id, null);
  const look = await getEffectiveCustomization(tx, ofSite, await loadOverrides(tx, site.id, siteSpace.id));
  if (!look.git.showEditLink) return undefined;
  const path = git!.path.split("/").map(encodeURIComponent).join("/");
  return `${editorAt(sync.treeUrl, sync.provider).replace(/\/$/, "")}/${path}`;
}

/** What the addresses of editors begin with. A host that we do not know shows the file itself. */
function editorAt(tree: string, provider: GitSyncRecord["provider"]): string {
  if (provider === undefined) return tree;
  if (provider === "gitlab") return tree.replace("/-/tree/", "/-/edit/");
  return tree.replace(/^(https?:\/\/[^/]+\/[^/]+\/[^/]+)\/tree\//, "$1/edit/");
}
