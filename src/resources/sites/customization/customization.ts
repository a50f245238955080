// Computes the customization of a site: the defaults, then the settings of the site, then those of a site-space, merged field by field. A
// field that is set replaces that of the level below; lists are replaced as a whole.

import { isConditionMet } from "../../../content/expressions";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { getTargetUrl, type SiteUrlContext } from "../addresses/targets";
import { MAX_ITEMS } from "../records";
import { getSiteSpaces, type Structure } from "../structure/structure";
import { customizations, readOverrides } from "./customization-records";
import type { Customization, Overrides } from "./customization-schema";
import { fonts } from "./font-records";
import type { CustomFontFields } from "./font-schema";

/** Returns a color that is the same in both color schemes. */
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

/** The defaults of an announcement that is only partly set. */
const DEFAULT_ANNOUNCEMENT = { enabled: false, message: "", style: "info" } as const;

type Settings = Readonly<Record<string, unknown>>;

/** The settings that are single values. All others are groups. */
const SINGLE_SETTINGS = new Set(["title", "favicon"]);

/** Merges overrides into settings, group by group and field by field. A group that is null keeps the settings below. */
function mergeSettings<Base extends object>(base: Base, overrides: Overrides): Base {
  const merged = { ...base } as Record<string, unknown>;
  for (const [name, value] of Object.entries(overrides)) {
    if (value === null || value === undefined) continue;
    merged[name] = SINGLE_SETTINGS.has(name)
      ? value
      : mergeGroup(merged[name] as Settings | undefined, value as Settings);
  }
  return merged as Base;
}

function mergeGroup(base: Settings | undefined, overrides: Settings): Settings {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(overrides)) {
    if (value === undefined) continue;
    merged[name] = name === "sidebar" ? mergeGroup(merged[name] as Settings, value as Settings) : value;
  }
  return merged;
}

/** Returns the settings of a site or a site-space after a change. Null removes a setting. */
export function applyOverrides(before: Overrides, changes: Overrides): Overrides {
  const merged = mergeSettings(before, changes);
  return Object.fromEntries(
    Object.entries(merged).filter(([name]) => (changes as Settings)[name] !== null),
  ) as Overrides;
}

export async function getEffectiveCustomization(
  tx: Reader,
  site: Overrides | undefined,
  siteSpace?: Overrides | undefined,
): Promise<Customization> {
  const merged = mergeSettings(mergeSettings(DEFAULTS, site ?? {}), siteSpace ?? {});
  // A setting that is null has no value.
  const removeNulls = (group: Settings) =>
    Object.fromEntries(Object.entries(group).filter(([, value]) => value !== null));
  const groups = Object.entries(merged).map(([name, value]) => [
    name,
    SINGLE_SETTINGS.has(name) ? value : removeNulls(value as Settings),
  ]);
  const { styling, announcement, ...others } = Object.fromEntries(groups) as Customization;
  return {
    ...others,
    styling: {
      ...styling,
      font: await resolveFont(tx, styling.font, DEFAULTS.styling.font),
      monospaceFont: await resolveFont(tx, styling.monospaceFont, DEFAULTS.styling.monospaceFont),
    },
    ...omitUndefined({ announcement: announcement ? { ...DEFAULT_ANNOUNCEMENT, ...announcement } : undefined }),
  };
}

/** Returns a font as the API shows it: a name, or a definition, which for a font of the organization is that of its record. */
async function resolveFont<Font extends Customization["styling"]["font" | "monospaceFont"]>(
  tx: Reader,
  font: Font,
  defaultFont: Font,
): Promise<Font> {
  if (typeof font === "string") return font;
  const { id } = font;
  const definition: CustomFontFields | undefined = id === undefined ? font : await fonts.get(tx, id);
  if (!definition) return defaultFont;
  const { fontFamily, fontFaces } = definition;
  return { ...omitUndefined({ id }), custom: true, fontFamily, fontFaces } as Font;
}

/**
 * Returns the customization of a site and of its visible site-spaces for a visitor. Links are omitted if the visitor can't see their
 * target or doesn't meet their condition; all others have their URL. `evaluateTexts` evaluates the texts.
 */
export async function presentCustomizations(
  context: SiteUrlContext,
  visible: Structure,
  evaluateTexts: (customization: Customization) => Customization,
) {
  const { tx, site } = context;
  const rows = await customizations.list(tx, "ofSite", { under: [site.id], limit: MAX_ITEMS + 1 });
  const overrides = new Map(rows.map(({ record }) => [record.siteSpace, readOverrides(record)]));
  const siteOverrides = overrides.get(null);
  const scope = { visitor: { claims: context.visitor.claims } };
  const present = async (siteSpaceOverrides?: Overrides) => {
    const customization = await getEffectiveCustomization(tx, siteOverrides, siteSpaceOverrides);
    // Only the links that the visitor can see are shown, with their URLs.
    const { header, footer, announcement } = customization;
    const headerLinks = await Promise.all(
      header.links
        .filter(({ condition }) => isConditionMet(condition, scope))
        .map(async ({ condition: _, ...link }): Promise<CustomHeaderLink | undefined> => {
          const resolved = await resolveLink(context, link);
          return resolved && { ...resolved, links: await resolveVisibleLinks(context, link.links) };
        }),
    );
    const groups = footer.groups.map(async ({ title, links }) => ({
      title,
      links: await resolveVisibleLinks(context, links),
    }));
    const { link: announcementLink, ...announcementFields } = announcement ?? {};
    const link = announcementLink && (await resolveLink(context, announcementLink));
    const resolvedAnnouncement = { ...announcementFields, ...omitUndefined({ link }) } as typeof announcement;
    return evaluateTexts({
      title: site.title,
      ...customization,
      header: { ...header, links: headerLinks.filter((it) => it !== undefined) },
      footer: { ...footer, groups: await Promise.all(groups) },
      ...omitUndefined({ announcement: announcement ? resolvedAnnouncement : undefined }),
    });
  };
  const siteCustomization = await present();
  const siteSpaces: Record<string, Customization> = {};
  for (const { id } of getSiteSpaces(visible)) {
    const siteSpaceOverrides = overrides.get(id);
    siteSpaces[id] = siteSpaceOverrides ? await present(siteSpaceOverrides) : siteCustomization;
  }
  return { site: siteCustomization, siteSpaces };
}

type PlainLink = Customization["footer"]["groups"][number]["links"][number];
type CustomHeaderLink = Customization["header"]["links"][number];

async function resolveVisibleLinks(context: SiteUrlContext, links: readonly PlainLink[]): Promise<PlainLink[]> {
  return (await Promise.all(links.map((link) => resolveLink(context, link)))).filter((link) => link !== undefined);
}

async function resolveLink<Link extends PlainLink>(context: SiteUrlContext, link: Link): Promise<Link | undefined> {
  if (!link.to) return link;
  const url = await getTargetUrl(context, link.to);
  if (url === undefined) return undefined;
  // Renderers know pages and spaces, but not the items of a site, so links to those become URLs.
  const { kind } = link.to;
  const to: PlainLink["to"] = kind === "site-space" || kind === "site-section" ? { kind: "url", url } : link.to;
  return { ...link, to, url };
}
