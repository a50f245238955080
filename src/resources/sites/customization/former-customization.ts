// Settings as they were stored before the whole shape of the interface. They are read as settings of that shape;
// nothing writes them any more.

import { omitUndefined } from "../../../utils/objects";
import { type Customization, LOCALES, type Overrides } from "./customization-schema";
import { MONOSPACE_FONTS, TEXT_FONTS } from "./font-schema";

type Styling = Customization["styling"];
type Color = Styling["primaryColor"];
type Image = NonNullable<Customization["header"]["logo"]>;
type Target = NonNullable<Customization["header"]["links"][number]["to"]>;
type FormerLink = { readonly title: string; readonly to: Target };
type Group<Members> = { readonly [name in keyof Members]?: Members[name] } | null;

/** What a site or a site-space had set. */
export interface FormerOverrides {
  readonly title?: string | null;
  readonly icon?: { readonly icon: Image } | { readonly emoji: string } | null;
  readonly styling?: Group<{
    readonly preset: keyof typeof PRESETS;
    readonly corners: keyof typeof CORNERS;
    readonly font: string;
    readonly monospaceFont: string;
    readonly icons: keyof typeof ICONS;
    readonly links: keyof typeof LINKS;
    readonly sidebar: keyof typeof SIDEBARS;
  }>;
  readonly colors?: Group<{
    readonly primary: Color;
    readonly tint: Color | null;
    readonly info: Color;
    readonly success: Color;
    readonly warning: Color;
    readonly danger: Color;
  }>;
  readonly theme?: Group<{ readonly mode: "light" | "dark" | "system"; readonly canSwitch: boolean }>;
  readonly header?: Group<{
    readonly logo: Image | null;
    readonly links: readonly {
      readonly title: string;
      readonly to?: Target;
      readonly style: keyof typeof LINK_STYLES;
      readonly links?: readonly FormerLink[];
    }[];
  }>;
  readonly footer?: Group<{
    readonly logo: Image | null;
    readonly groups: readonly { readonly title: string; readonly links: readonly FormerLink[] }[];
    readonly copyright: string | null;
  }>;
  readonly announcement?: Group<{
    readonly enabled: boolean;
    readonly message: string | null;
    readonly link: FormerLink | null;
    readonly style: "info" | "success" | "warning" | "danger";
  }>;
  readonly internationalization?: Group<{ readonly locale: string }>;
  readonly socialPreview?: Group<{ readonly image: string | null; readonly description: string | null }>;
  readonly pagination?: Group<{ readonly enabled: boolean }>;
  readonly pdf?: Group<{ readonly enabled: boolean }>;
  readonly feedback?: Group<{ readonly enabled: boolean }>;
  readonly privacyPolicy?: Group<{ readonly url: string | null }>;
}

const PRESETS = { plain: "clean", muted: "muted", bold: "bold", gradient: "gradient" } as const;
const CORNERS = { square: "straight", rounded: "rounded", round: "circular" } as const;
const ICONS = { outline: "regular", solid: "solid", duotone: "duotone" } as const;
const LINKS = { underlined: "default", colored: "accent" } as const;
const SIDEBARS = { plain: "default", filled: "filled" } as const;
const LINK_STYLES = { link: "link", button: "button-primary", "secondary-button": "button-secondary" } as const;

/** Former settings in the shape of today. */
export function convertFormerOverrides(former: FormerOverrides): Overrides {
  const { title, icon, announcement, internationalization, socialPreview } = former;
  const { pagination, pdf, feedback, privacyPolicy } = former;
  return omitUndefined({
    title,
    favicon: icon,
    styling: stylingFrom(former),
    themes: former.theme && omitUndefined({ ...themesFrom(former.theme.mode), toggeable: former.theme.canSwitch }),
    header: former.header && headerFrom(former.header),
    footer: former.footer as Overrides["footer"],
    announcement: announcement && omitUndefined({ ...announcement, message: announcement.message ?? undefined }),
    internationalization: internationalization && languageFrom(internationalization.locale),
    socialPreview: socialPreview && omitUndefined({ url: socialPreview.image, description: socialPreview.description }),
    ...{ pagination, pdf, feedback, privacyPolicy },
  }) as Overrides;
}

function stylingFrom({ styling, colors }: FormerOverrides): Overrides["styling"] {
  if (!styling && !colors) return undefined;
  const { preset, corners, icons, links, sidebar, font, monospaceFont } = styling ?? {};
  const { primary, tint, info, success, warning, danger } = colors ?? {};
  return omitUndefined({
    theme: preset && PRESETS[preset],
    corners: corners && CORNERS[corners],
    icons: icons && ICONS[icons],
    links: links && LINKS[links],
    sidebar: sidebar && { background: SIDEBARS[sidebar] },
    font: font === undefined ? undefined : fontFrom(TEXT_FONTS, font),
    monospaceFont: monospaceFont === undefined ? undefined : fontFrom(MONOSPACE_FONTS, monospaceFont),
    primaryColor: primary,
    tint: tint && { color: tint },
    infoColor: info,
    successColor: success,
    warningColor: warning,
    dangerColor: danger,
  }) as Overrides["styling"];
}

/** A font that is not among the known ones becomes a definition without files, so that its name is kept. */
function fontFrom<Name extends string>(known: readonly Name[], name: string) {
  const joined = name.replaceAll(/[ _-]/g, "").toLowerCase();
  return known.find((it) => it.toLowerCase() === joined) ?? { fontFamily: name, fontFaces: [] };
}

function themesFrom(mode: "light" | "dark" | "system" | undefined): Overrides["themes"] {
  if (mode === undefined) return {};
  return mode === "system" ? { default: "light", followsDevice: true } : { default: mode, followsDevice: false };
}

function headerFrom({ logo, links }: NonNullable<FormerOverrides["header"]>): Overrides["header"] {
  return omitUndefined({
    logo,
    links: links?.map((link) => ({
      title: link.title,
      to: link.to ?? null,
      style: LINK_STYLES[link.style],
      links: [...(link.links ?? [])],
    })),
  }) as Overrides["header"];
}

function languageFrom(locale: string | undefined): Overrides["internationalization"] {
  if (locale === undefined) return {};
  const wanted = locale.toLowerCase();
  const known = LOCALES.find((it) => it === wanted) ?? LOCALES.find((it) => it === wanted.split("-")[0]);
  return known === undefined ? { language: locale } : { locale: known };
}
