// The look of a site: the defaults, then the settings of the site, then those of a site-space, merged field by field. A
// field that is set replaces the one below it; lists are replaced as a whole.

import { type Given, type SiteReading, urlOfTarget } from "../addresses/targets";
import type { Structure } from "../structure/structure";
import { customizationsOf } from "./customization-records";
import type { Customization, Overrides } from "./customization-schema";

const same = (color: string) => ({ light: color, dark: color });

const DEFAULTS: Customization = {
  title: null,
  icon: null,
  styling: {
    preset: "plain",
    corners: "rounded",
    font: "Inter",
    monospaceFont: "IBM Plex Mono",
    icons: "outline",
    links: "colored",
    sidebar: "plain",
  },
  colors: {
    primary: { light: "#1f5fbf", dark: "#7fb0ff" },
    tint: null,
    info: same("#3b82c4"),
    success: same("#2f9e5b"),
    warning: same("#d9902f"),
    danger: same("#d04545"),
  },
  theme: { mode: "system", canSwitch: true },
  header: { logo: null, links: [] },
  footer: { logo: null, groups: [], copyright: null },
  announcement: { enabled: false, message: null, link: null, style: "info" },
  internationalization: { locale: "en" },
  socialPreview: { image: null, description: null },
  pagination: { enabled: true },
  pdf: { enabled: true },
  feedback: { enabled: false },
  privacyPolicy: { url: null },
};

type Settings = Readonly<Record<string, unknown>>;

/** Merges settings on top of others, group by group and field by field. Null restores the value below. */
export function overlaid<Base extends object>(base: Base, over: Overrides): Base {
  const merged = { ...base } as Record<string, unknown>;
  for (const [name, value] of Object.entries(over)) {
    if (value === null || value === undefined) continue;
    merged[name] = isGroup(name) ? { ...(merged[name] as Settings), ...given(value) } : value;
  }
  return merged as Base;
}

/** Title and icon are single values; all others are groups of settings. */
function isGroup(name: string): boolean {
  return name !== "title" && name !== "icon";
}

function given(group: Settings | string): Settings {
  return Object.fromEntries(Object.entries(group).filter(([, value]) => value !== undefined));
}

/** The settings of one place after a change. Null removes what was set there. */
export function changedOverrides(before: Overrides, changes: Overrides): Overrides {
  const merged = overlaid(before, changes);
  return Object.fromEntries(
    Object.entries(merged).filter(([name]) => (changes as Settings)[name] !== null),
  ) as Overrides;
}

/** The effective settings of a site or a site-space. */
export function mergeCustomization(site: Overrides | undefined, siteSpace?: Overrides | undefined): Customization {
  return overlaid(overlaid(DEFAULTS, site ?? {}), siteSpace ?? {});
}

/** All links in settings, each with the path of its field. */
export function targetsIn(settings: Overrides, at: string): Given[] {
  const found: Given[] = [];
  for (const [i, { to, links }] of (settings.header?.links ?? []).entries()) {
    const here = `${at}.header.links.${i}`;
    if (to) found.push({ target: to, at: `${here}.to` });
    for (const [n, link] of (links ?? []).entries()) found.push({ target: link.to, at: `${here}.links.${n}.to` });
  }
  for (const [i, { links }] of (settings.footer?.groups ?? []).entries())
    for (const [n, link] of links.entries())
      found.push({ target: link.to, at: `${at}.footer.groups.${i}.links.${n}.to` });
  const announced = settings.announcement?.link;
  if (announced) found.push({ target: announced.to, at: `${at}.announcement.link.to` });
  return found;
}

/**
 * The look of a site for a visitor: the site's settings, and those of the visible site-spaces that have their own.
 * Links to things that the visitor does not see are left out; all others have their URL.
 */
export async function publishedCustomizations(
  reading: SiteReading,
  visible: Structure,
): Promise<{ readonly site: Customization; readonly siteSpaces: Record<string, Customization> }> {
  const found = await customizationsOf(reading.tx, reading.site.id);
  const own = found.find(({ siteSpace }) => siteSpace === null)?.settings;
  const siteSpaces: Record<string, Customization> = {};
  for (const { siteSpace, settings } of found) {
    if (siteSpace === null || !visible.get(siteSpace)) continue;
    siteSpaces[siteSpace] = await shownTo(reading, mergeCustomization(own, settings));
  }
  return { site: await shownTo(reading, mergeCustomization(own)), siteSpaces };
}

type PlainLink = Customization["footer"]["groups"][number]["links"][number];

async function shownTo(reading: SiteReading, settings: Customization): Promise<Customization> {
  const { header, footer, announcement } = settings;
  const linksFor = async (links: readonly PlainLink[]) =>
    (await Promise.all(links.map((link) => linkFor(reading, link)))).filter((link) => link !== undefined);
  const headerLinks = await Promise.all(
    header.links.map(async (link) => {
      const links = link.links && (await linksFor(link.links));
      const url = link.to && (await urlOfTarget(reading, link.to));
      if (link.to && url === undefined) return undefined;
      return { ...link, ...(url === undefined ? {} : { url }), ...(links ? { links } : {}) };
    }),
  );
  const groups = footer.groups.map(async ({ title, links }) => ({ title, links: await linksFor(links) }));
  return {
    ...settings,
    header: { ...header, links: headerLinks.filter((link) => link !== undefined) },
    footer: { ...footer, groups: await Promise.all(groups) },
    announcement: { ...announcement, link: (announcement.link && (await linkFor(reading, announcement.link))) ?? null },
  };
}

async function linkFor(reading: SiteReading, link: PlainLink): Promise<PlainLink | undefined> {
  const url = await urlOfTarget(reading, link.to);
  return url === undefined ? undefined : { ...link, url };
}
