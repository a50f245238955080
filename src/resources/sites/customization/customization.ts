// The look of a site: the defaults, then the settings of the site, then those of a site-space, merged field by field. A
// field that is set replaces the one below it; lists are replaced as a whole.

import { isConditionMet } from "../../../content/expressions";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { getTargetUrl, type LinkTargetField, type SiteUrlContext } from "../addresses/targets";
import { getSiteSpaces, type Structure } from "../structure/structure";
import { loadAllOverrides } from "./customization-records";
import type { Customization, Overrides } from "./customization-schema";
import { fonts } from "./font-records";
import type { CustomFontFields } from "./font-schema";

const createColor = (color: string) => ({ light: color, dark: color });

const DEFAULTS: Customization = {
  styling: {
    theme: "clean",
    primaryColor: { light: "#1f5fbf", dark: "#7fb0ff" },
    infoColor: createColor("#3b82c4"),
    successColor: createColor("#2f9e5b"),
    warningColor: createColor("#d9902f"),
    dangerColor: createColor("#d04545"),
    corners: "rounded",
    depth: "subtle",
    links: "default",
    font: "Inter",
    monospaceFont: "IBMPlexMono",
    background: "plain",
    icons: "regular",
    sidebar: { background: "default", list: "default" },
    search: "prominent",
  },
  internationalization: { locale: "en" },
  favicon: {},
  header: { preset: "default", links: [] },
  footer: { groups: [] },
  themes: { default: "light", toggeable: true, followsDevice: false },
  pdf: { enabled: true },
  feedback: { enabled: false },
  ai: { mode: "none" },
  advancedCustomization: { enabled: true },
  git: { showEditLink: false },
  pageActions: { externalAI: false, markdown: true },
  externalLinks: { target: "self" },
  pagination: { enabled: true },
  trademark: { enabled: false },
  privacyPolicy: {},
  socialPreview: {},
  insights: { trackingCookie: false },
};

/** What an announcement has where only a part of it is set. */
const ANNOUNCEMENT = { enabled: false, message: "", style: "info" } as const;

type Settings = Readonly<Record<string, unknown>>;

/** Merges settings on top of others, group by group and field by field. A group that is null restores those below. */
function mergeSettings<Base extends object>(base: Base, over: Overrides): Base {
  const merged = { ...base } as Record<string, unknown>;
  for (const [name, value] of Object.entries(over)) {
    if (value === null || value === undefined) continue;
    merged[name] = isSettingsGroup(name) ? mergeGroup(merged[name] as Settings | undefined, value as Settings) : value;
  }
  return merged as Base;
}

/** Title and favicon are single values; all others are groups of settings. */
function isSettingsGroup(name: string): boolean {
  return name !== "title" && name !== "favicon";
}

function mergeGroup(base: Settings | undefined, over: Settings): Settings {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    if (value === undefined) continue;
    merged[name] = name === "sidebar" ? mergeGroup(merged[name] as Settings, value as Settings) : value;
  }
  return merged;
}

/** The settings of one place after a change. Null removes what was set there. */
export function applyOverrides(before: Overrides, changes: Overrides): Overrides {
  const merged = mergeSettings(before, changes);
  return Object.fromEntries(
    Object.entries(merged).filter(([name]) => (changes as Settings)[name] !== null),
  ) as Overrides;
}

/** The effective settings of a site or a site-space. */
export async function getEffectiveCustomization(
  tx: Reader,
  site: Overrides | undefined,
  siteSpace?: Overrides | undefined,
): Promise<Customization> {
  const merged = mergeSettings(mergeSettings(DEFAULTS, site ?? {}), siteSpace ?? {});
  const groups = Object.entries(merged).map(([name, value]) => [
    name,
    isSettingsGroup(name) ? withoutNone(value as Settings) : value,
  ]);
  const { styling, announcement, ...others } = Object.fromEntries(groups) as Customization;
  return {
    ...others,
    styling: {
      ...styling,
      font: await resolveFont(tx, styling.font, DEFAULTS.styling.font),
      monospaceFont: await resolveFont(tx, styling.monospaceFont, DEFAULTS.styling.monospaceFont),
    },
    ...omitUndefined({ announcement: announcement ? { ...ANNOUNCEMENT, ...announcement } : undefined }),
  };
}

/** A group without the settings that are set to none. */
function withoutNone(group: Settings): Settings {
  return Object.fromEntries(Object.entries(group).filter(([, value]) => value !== null));
}

/** A font as it is shown: a name, or its definition, which for a font of the organization comes from its record. */
async function resolveFont<Font extends Customization["styling"]["font" | "monospaceFont"]>(
  tx: Reader,
  chosen: Font,
  otherwise: Font,
): Promise<Font> {
  if (typeof chosen === "string") return chosen;
  const { id } = chosen;
  const parts: CustomFontFields | undefined = id === undefined ? chosen : await fonts.get(tx, id);
  if (!parts) return otherwise;
  const { fontFamily, fontFaces } = parts;
  return { ...omitUndefined({ id }), custom: true, fontFamily, fontFaces } as Font;
}

/** All links in settings, each with the path of its field. */
export function listTargets(settings: Overrides, at: string): LinkTargetField[] {
  const found: LinkTargetField[] = [];
  const find = (link: { readonly to: LinkTargetField["target"] | null }, here: string) => {
    if (link.to) found.push({ target: link.to, at: `${here}.to` });
  };
  for (const [i, link] of (settings.header?.links ?? []).entries()) {
    const here = `${at}.header.links.${i}`;
    find(link, here);
    for (const [n, below] of link.links.entries()) find(below, `${here}.links.${n}`);
  }
  for (const [i, { links }] of (settings.footer?.groups ?? []).entries())
    for (const [n, link] of links.entries()) find(link, `${at}.footer.groups.${i}.links.${n}`);
  const announced = settings.announcement?.link;
  if (announced) find(announced, `${at}.announcement.link`);
  return found;
}

/** The look of a site and of each of its visible site-spaces, for a visitor. */
export interface PublishedCustomizations {
  readonly site: Customization;
  readonly siteSpaces: Record<string, Customization>;
}

/**
 * The look of a site for a visitor, and that of its visible site-spaces. Links to things that the visitor does not see,
 * or whose condition does not hold, are left out; all others have their URL. `worded` evaluates the texts.
 */
export async function presentCustomizations(
  reading: SiteUrlContext,
  visible: Structure,
  worded: (look: Customization) => Customization,
): Promise<PublishedCustomizations> {
  const { tx, site } = reading;
  const settings = await loadAllOverrides(tx, site.id);
  const ofSite = settings.get(null);
  const show = async (own?: Overrides) =>
    worded({ title: site.title, ...(await shownTo(reading, await getEffectiveCustomization(tx, ofSite, own))) });
  const ofAll = await show();
  const siteSpaces: Record<string, Customization> = {};
  for (const { id } of getSiteSpaces(visible)) {
    const own = settings.get(id);
    siteSpaces[id] = own ? await show(own) : ofAll;
  }
  return { site: ofAll, siteSpaces };
}

type PlainLink = Customization["footer"]["groups"][number]["links"][number];
type HeaderLink = Customization["header"]["links"][number];

async function shownTo(reading: SiteUrlContext, look: Customization): Promise<Customization> {
  const { header, footer, announcement } = look;
  const scope = { visitor: { claims: reading.visitor.claims } };
  const headerLinks = await Promise.all(
    header.links
      .filter(({ condition }) => isConditionMet(condition, scope))
      .map(async ({ condition: _, ...link }): Promise<HeaderLink | undefined> => {
        const shown = await presentSiteLink(reading, link);
        return shown && { ...shown, links: await presentSiteLinks(reading, link.links) };
      }),
  );
  const groups = footer.groups.map(async ({ title, links }) => ({
    title,
    links: await presentSiteLinks(reading, links),
  }));
  return {
    ...look,
    header: { ...header, links: headerLinks.filter((link) => link !== undefined) },
    footer: { ...footer, groups: await Promise.all(groups) },
    ...omitUndefined({ announcement: announcement ? await announcementFor(reading, announcement) : undefined }),
  };
}

async function announcementFor(
  reading: SiteUrlContext,
  { link, ...others }: NonNullable<Customization["announcement"]>,
) {
  const shown = link && (await presentSiteLink(reading, link));
  return { ...others, ...omitUndefined({ link: shown }) };
}

async function presentSiteLinks(reading: SiteUrlContext, links: readonly PlainLink[]): Promise<PlainLink[]> {
  return (await Promise.all(links.map((link) => presentSiteLink(reading, link)))).filter((link) => link !== undefined);
}

/** A link with its URL; undefined when the visitor does not see what it leads to. */
async function presentSiteLink<Link extends PlainLink>(reading: SiteUrlContext, link: Link): Promise<Link | undefined> {
  if (!link.to) return link;
  const url = await getTargetUrl(reading, link.to);
  return url === undefined ? undefined : { ...link, to: forVisitors(link.to, url), url };
}

/** Renderers know pages and spaces, and not the items of a site: those become addresses. */
function forVisitors(to: NonNullable<PlainLink["to"]>, url: string): PlainLink["to"] {
  return to.kind === "site-space" || to.kind === "site-section" ? { kind: "url", url } : to;
}
