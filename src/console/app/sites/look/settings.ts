// The settings of a look that are single values, by group: what each one is, and where it stands. Lists of links, fonts and the
// favicon have fields of their own.

import type { SiteCustomization } from "../../../../generated/resources";
import { omitUndefined } from "../../../../utils/objects";
import type { Words } from "../../words/words";

export type Look = SiteCustomization;
export type Color = Look["styling"]["primaryColor"];
export type Image = NonNullable<Look["header"]["logo"]>;

export type Setting =
  | { readonly kind: "text"; readonly rows?: number; readonly type?: "url"; readonly maxLength?: number }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly options: readonly (readonly [value: string, label: string])[] }
  | { readonly kind: "color"; readonly isOptional?: boolean }
  | { readonly kind: "image" };

export interface Placed {
  /** The names of the members that lead to it. */
  readonly path: readonly string[];
  readonly label: string;
  readonly hint?: string;
  readonly setting: Setting;
}

const flag: Setting = { kind: "flag" };
const color: Setting = { kind: "color" };

/** The groups of the form, in their order. `own` names what the group has besides. */
export interface Group {
  readonly title: string;
  readonly settings: readonly Placed[];
  readonly own?: "favicon" | "fonts" | "header-links" | "footer-groups" | "announcement-link";
}

export function groupsOf(words: Words): readonly Group[] {
  const choice = (...options: readonly (readonly [string, string])[]): Setting => ({ kind: "choice", options });
  const at = (path: string, label: string, setting: Setting, hint?: string): Placed => ({
    path: path.split("."),
    label,
    setting,
    ...omitUndefined({ hint }),
  });
  return [
    {
      title: words.lookName,
      own: "favicon",
      settings: [
        at("title", words.lookTitle, { kind: "text", maxLength: 128 }, words.lookTitleHint),
        at("header.logo", words.lookLogo, { kind: "image" }),
      ],
    },
    {
      title: words.colors,
      settings: [
        at("styling.primaryColor", words.primaryColor, color),
        at("styling.tint.color", words.tint, { kind: "color", isOptional: true }),
        at(
          "styling.theme",
          words.lookTheme,
          choice(
            ["clean", words.themeClean],
            ["muted", words.themeMuted],
            ["bold", words.themeBold],
            ["gradient", words.themeGradient],
          ),
        ),
        at(
          "styling.background",
          words.background,
          choice(["plain", words.backgroundPlain], ["match", words.backgroundMatch]),
        ),
        at("styling.infoColor", words.infoColor, color),
        at("styling.successColor", words.successColor, color),
        at("styling.warningColor", words.warningColor, color),
        at("styling.dangerColor", words.dangerColor, color),
      ],
    },
    {
      title: words.lightAndDark,
      settings: [
        at("themes.followsDevice", words.followsDevice, flag),
        at("themes.default", words.defaultTheme, choice(["light", words.light], ["dark", words.dark])),
        at("themes.toggeable", words.themeSwitch, flag),
      ],
    },
    {
      title: words.shapes,
      own: "fonts",
      settings: [
        at(
          "styling.corners",
          words.corners,
          choice(
            ["straight", words.cornersStraight],
            ["rounded", words.cornersRounded],
            ["circular", words.cornersCircular],
          ),
        ),
        at("styling.depth", words.depth, choice(["subtle", words.depthSubtle], ["flat", words.depthFlat])),
        at("styling.links", words.lookLinks, choice(["default", words.linksDefault], ["accent", words.linksAccent])),
        at(
          "styling.icons",
          words.icons,
          choice(
            ["regular", words.iconsRegular],
            ["solid", words.iconsSolid],
            ["duotone", words.iconsDuotone],
            ["light", words.iconsLight],
            ["thin", words.iconsThin],
          ),
        ),
        at(
          "styling.sidebar.background",
          words.sidebar,
          choice(["default", words.plainStyle], ["filled", words.sidebarFilled]),
        ),
        at(
          "styling.sidebar.list",
          words.sidebarList,
          choice(["default", words.plainStyle], ["pill", words.listPill], ["line", words.listLine]),
        ),
        at(
          "styling.search",
          words.searchField,
          choice(["prominent", words.searchProminent], ["subtle", words.searchSubtle]),
        ),
      ],
    },
    {
      title: words.header,
      own: "header-links",
      settings: [
        at(
          "header.preset",
          words.headerStyle,
          choice(
            ["default", words.plainStyle],
            ["bold", words.headerBold],
            ["contrast", words.headerContrast],
            ["custom", words.headerCustom],
            ["none", words.headerNone],
          ),
        ),
        at(
          "header.backgroundColor",
          words.headerBackground,
          { kind: "color", isOptional: true },
          words.headerCustomHint,
        ),
        at("header.linkColor", words.headerLinkColor, { kind: "color", isOptional: true }, words.headerCustomHint),
      ],
    },
    {
      title: words.footer,
      own: "footer-groups",
      settings: [
        at("footer.logo", words.lookLogo, { kind: "image" }),
        at("footer.copyright", words.copyright, { kind: "text", maxLength: 300 }),
        at("privacyPolicy.url", words.privacyPolicy, { kind: "text", type: "url" }),
        at("trademark.enabled", words.trademark, flag),
      ],
    },
    {
      title: words.announcement,
      own: "announcement-link",
      settings: [
        at("announcement.enabled", words.announcementOn, flag),
        at("announcement.message", words.announcementText, { kind: "text", rows: 2, maxLength: 512 }),
        at(
          "announcement.style",
          words.announcementStyle,
          choice(
            ["info", words.infoColor],
            ["success", words.successColor],
            ["warning", words.warningColor],
            ["danger", words.dangerColor],
          ),
        ),
      ],
    },
    {
      title: words.onPages,
      settings: [
        at("pagination.enabled", words.paginationOn, flag),
        at("feedback.enabled", words.feedbackOn, flag),
        at("pdf.enabled", words.pdfOn, flag),
        at("pageActions.markdown", words.markdownOn, flag),
        at("pageActions.externalAI", words.externalAiOn, flag),
        at("git.showEditLink", words.editLinkOn, flag),
        at(
          "externalLinks.target",
          words.externalLinks,
          choice(["self", words.opensHere], ["blank", words.opensNewTab]),
        ),
        at(
          "ai.mode",
          words.askMode,
          choice(
            ["none", words.askNone],
            ["search", words.askSearch],
            ["assistant", words.askAssistant],
            ["integration", words.askIntegration],
          ),
        ),
        at("ai.integrationId", words.siteIntegration, { kind: "text" }, words.askIntegrationHint),
      ],
    },
    {
      title: words.languageAndSharing,
      settings: [
        at("internationalization.locale", words.wordsOfSite, choice(...localeOptions())),
        at("internationalization.language", words.languageOfTexts, { kind: "text" }, words.languageOfTextsHint),
        at("socialPreview.url", words.socialImage, { kind: "text", type: "url" }),
        at("socialPreview.description", words.socialText, { kind: "text", rows: 2, maxLength: 256 }),
        at("insights.trackingCookie", words.trackingCookie, flag, words.noEffectYet),
        at("advancedCustomization.enabled", words.advancedCustomization, flag, words.noEffectYet),
      ],
    },
  ];
}

const LOCALES = ["en", "de", "es", "fr", "ja", "nl", "no", "pt-br", "ru", "zh"] as const;

/** Each language in its own words. */
function localeOptions(): readonly (readonly [string, string])[] {
  return LOCALES.map((locale) => {
    const tag = locale === "pt-br" ? "pt-BR" : locale;
    return [locale, new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag] as const;
  });
}
