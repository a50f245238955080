// What a site's own URL shows: the default section and the default site-space, chosen by those who edit the site.

import { invalid } from "../../errors";
import type { Reader } from "../../store/transaction";
import { type SectionRecord, type SiteRecord, siteItems } from "./records";

interface Chosen {
  readonly defaultItem: string | null;
  /** The default section, where its own default has changed. */
  readonly section?: SectionRecord;
}

/** The defaults of a site with what a body asks for. */
export async function chooseDefaults(
  tx: Reader,
  site: SiteRecord,
  body: { readonly defaultSiteSpace?: string | undefined; readonly defaultSiteSection?: string | undefined },
): Promise<Chosen> {
  let defaultItem = site.defaultItem;
  if (body.defaultSiteSection !== undefined) {
    const section = await siteItems.get(tx, site.id, body.defaultSiteSection);
    if (section?.type !== "site-section") throw invalid("body.defaultSiteSection", "The site has no such section");
    defaultItem = section.id;
  }
  if (body.defaultSiteSpace === undefined) return { defaultItem };
  const chosen = await siteItems.get(tx, site.id, body.defaultSiteSpace);
  if (chosen?.type === "site-space") {
    if (chosen.parent === null) return { defaultItem: chosen.id };
    const section = await siteItems.get(tx, site.id, chosen.parent);
    if (section?.type === "site-section" && section.id === defaultItem)
      return { defaultItem, section: { ...section, defaultItem: chosen.id } };
  }
  throw invalid("body.defaultSiteSpace", "The site has no such site-space at its root or in its default section");
}
