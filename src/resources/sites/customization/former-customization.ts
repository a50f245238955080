// Converts settings from the previous stored format, which is no longer written.

import { omitUndefined } from "../../../utils/objects";
import { type Customization, LOCALES, type Overrides } from "./customization-schema";
import { MONOSPACE_FONTS, TEXT_FONTS } from "./font-schema";

type Styling = Customization["styling"];
type FormerColor = Styling["primaryColor"];
type FormerImage = NonNullable<Customization["header"]["logo"]>;
type FormerTarget = NonNullable<Customization["header"]["links"][number]["to"]>;
type FormerLink = { readonly title: string; readonly to: FormerTarget };
type FormerGroup<Members> = { readonly [name in keyof Members]?: Members[name] } | null;

export interface FormerOverrides {
  readonly title?: string | null;
  readonly icon?: { readonly icon: FormerImage } | { readonly emoji: string } | null;
  readonly styling?: FormerGroup<{
    readonly preset: keyof typeof PRESETS;
    readonly corners: keyof typeof CORNERS;
    readonly font: string;
    readonly monospaceFont: string;
    readonly icons: keyof typeof ICONS;
    readonly links: keyof typeof LINKS;
    readonly sidebar: keyof typeof SIDEBARS;
  }>;
  readonly colors?: FormerGroup<{
    readonly primary: FormerColor;
    readonly tint: FormerColor | null;
    readonly info: FormerColor;
    readonly success: FormerColor;
    readonly warning: FormerColor;
    readonly danger: FormerColor;
  }>;
  readonly theme?: FormerGroup<{ readonly mode: "light" | "dark" | "system"; readonly canSwitch: boolean }>;
  readonly header?: FormerGroup<{
    readonly logo: FormerImage | null;
    readonly links: readonly {
      readonly title: string;
      readonly to?: FormerTarget;
      readonly style: keyof typeof LINK_STYLES;
      readonly links?: readonly FormerLink[];
    }[];
  }>;
  readonly footer?: FormerGroup<{
    readonly logo: FormerImage | null;
    readonly groups: readonly { readonly title: string; readonly links: readonly FormerLink[] }[];
    readonly copyright: string | null;
  }>;
  readonly announcement?: FormerGroup<{
    readonly enabled: boolean;
    readonly message: string | null;
    readonly link: FormerLink | null;
    readonly style: "info" | "success" | "warning" | "danger";
  }>;
  readonly internationalization?: FormerGroup<{ readonly locale: string }>;
  readonly socialPreview?: FormerGroup<{ readonly image: string | null; readonly description: string | null }>;
  readonly pagination?: FormerGroup<{ readonly enabled: boolean }>;
  readonly pdf?: FormerGroup<{ readonly enabled: boolean }>;
  readonly feedback?: FormerGroup<{ readonly enabled: boolean }>;
  readonly privacyPolicy?: FormerGroup<{ readonly url: string | null }>;
}

const PRESETS = { plain: "clean", muted: "muted", bold: "bold", gradient: "gradient" } as const;
const CORNERS = { square: "straight", rounded: "rounded", round: "circular" } as const;
const ICONS = { outline: "regular", solid: "solid", duotone: "duotone" } as const;
const LINKS = { underlined: "default", colored: "accent" } as const;
const SIDEBARS = { plain: "default", filled: "filled" } as const;
const LINK_STYLES = { link: "link", button: "button-primary", "secondary-button": "button-secondary" } as const;

/** Converts former settings to the current format. */
export function convertFormerOverrides(former: FormerOverrides): Overrides {
  const { title, icon, theme, header, announcement, internationalization, socialPreview } = former;
  const { styling, colors, pagination, pdf, feedback, privacyPolicy } = former;
  const { preset, corners, icons, links, sidebar, font, monospaceFont } = styling ?? {};
  const { primary, tint, info, success, warning, danger } = colors ?? {};
  const headerLinks = header?.links?.map((link) => ({
    title: link.title,
    to: link.to ?? null,
    style: LINK_STYLES[link.style],
    links: [...(link.links ?? [])],
  }));
  // A language that isn't known is kept by its name.
  const locale = internationalization?.locale?.toLowerCase();
  const knownLocale = LOCALES.find((it) => it === locale) ?? LOCALES.find((it) => it === locale?.split("-")[0]);
  const language = locale === undefined ? {} : { language: internationalization!.locale };
  const { mode } = theme ?? {};
  const followsDevice = mode === "system";
  const themes = mode === undefined ? {} : { default: followsDevice ? ("light" as const) : mode, followsDevice };
  return omitUndefined({
    title,
    favicon: icon,
    styling:
      (styling ?? colors) &&
      omitUndefined({
        theme: preset && PRESETS[preset],
        corners: corners && CORNERS[corners],
        icons: icons && ICONS[icons],
        links: links && LINKS[links],
        sidebar: sidebar && { background: SIDEBARS[sidebar] },
        font: font === undefined ? undefined : convertFont(TEXT_FONTS, font),
        monospaceFont: monospaceFont === undefined ? undefined : convertFont(MONOSPACE_FONTS, monospaceFont),
        primaryColor: primary,
        tint: tint && { color: tint },
        infoColor: info,
        successColor: success,
        warningColor: warning,
        dangerColor: danger,
      }),
    themes: theme && omitUndefined({ ...themes, toggeable: theme.canSwitch }),
    header: header && omitUndefined({ logo: header.logo, links: headerLinks }),
    footer: former.footer as Overrides["footer"],
    announcement: announcement && omitUndefined({ ...announcement, message: announcement.message ?? undefined }),
    internationalization: internationalization && (knownLocale ? { locale: knownLocale } : language),
    socialPreview: socialPreview && omitUndefined({ url: socialPreview.image, description: socialPreview.description }),
    ...{ pagination, pdf, feedback, privacyPolicy },
  }) as Overrides;
}

/** Returns a known font by its name. Any other font becomes a definition without files, so that its name is preserved. */
function convertFont<Name extends string>(knownFonts: readonly Name[], name: string) {
  const normalizedName = name.replaceAll(/[ _-]/g, "").toLowerCase();
  return knownFonts.find((it) => it.toLowerCase() === normalizedName) ?? { fontFamily: name, fontFaces: [] };
}
