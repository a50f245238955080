// The settings of an appearance that are single values, by group, with their controls and paths. Lists of links, fonts and the
// favicon have their own fields.

import type { SiteCustomization } from "../../../../generated/resources";
import { omitUndefined } from "../../../../utils/objects";
import type { Messages } from "../../messages/messages";

export type SiteLook = SiteCustomization;
export type LookColor = SiteLook["styling"]["primaryColor"];
export type LookImage = NonNullable<SiteLook["header"]["logo"]>;

export type SettingControl =
  | { readonly kind: "text"; readonly rows?: number; readonly type?: "url"; readonly maxLength?: number }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly options: readonly (readonly [value: string, label: string])[] }
  | { readonly kind: "color"; readonly isOptional?: boolean }
  | { readonly kind: "image" };

export interface SettingDefinition {
  /** The path of the value. */
  readonly path: readonly string[];
  readonly label: string;
  readonly hint?: string;
  readonly setting: SettingControl;
}

const flag: SettingControl = { kind: "flag" };
const color: SettingControl = { kind: "color" };

/** A group of the form. `own` names its special fields. */
export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly SettingDefinition[];
  readonly own?: "favicon" | "fonts" | "header-links" | "footer-groups" | "announcement-link";
}

export function listSettingGroups(messages: Messages): readonly SettingGroup[] {
  const choice = (...options: readonly (readonly [string, string])[]): SettingControl => ({ kind: "choice", options });
  const at = (path: string, label: string, setting: SettingControl, hint?: string): SettingDefinition => ({
    path: path.split("."),
    label,
    setting,
    ...omitUndefined({ hint }),
  });
  // Each language has its own name.
  const localeOptions = LOCALES.map((locale): [string, string] => {
    const tag = locale === "pt-br" ? "pt-BR" : locale;
    return [locale, new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag];
  });
  return [
    {
      title: messages.appearance.lookName,
      own: "favicon",
      settings: [
        at("title", messages.appearance.lookTitle, { kind: "text", maxLength: 128 }, messages.appearance.lookTitleHint),
        at("header.logo", messages.appearance.lookLogo, { kind: "image" }),
      ],
    },
    {
      title: messages.appearance.colors,
      settings: [
        at("styling.primaryColor", messages.appearance.primaryColor, color),
        at("styling.tint.color", messages.appearance.tint, { kind: "color", isOptional: true }),
        at(
          "styling.theme",
          messages.appearance.lookTheme,
          choice(
            ["clean", messages.appearance.themeClean],
            ["muted", messages.appearance.themeMuted],
            ["bold", messages.appearance.themeBold],
            ["gradient", messages.appearance.themeGradient],
          ),
        ),
        at(
          "styling.background",
          messages.appearance.background,
          choice(["plain", messages.appearance.backgroundPlain], ["match", messages.appearance.backgroundMatch]),
        ),
        at("styling.infoColor", messages.appearance.infoColor, color),
        at("styling.successColor", messages.appearance.successColor, color),
        at("styling.warningColor", messages.appearance.warningColor, color),
        at("styling.dangerColor", messages.appearance.dangerColor, color),
      ],
    },
    {
      title: messages.appearance.lightAndDark,
      settings: [
        at("themes.followsDevice", messages.appearance.followsDevice, flag),
        at(
          "themes.default",
          messages.appearance.defaultTheme,
          choice(["light", messages.appearance.light], ["dark", messages.appearance.dark]),
        ),
        at("themes.toggeable", messages.appearance.themeSwitch, flag),
      ],
    },
    {
      title: messages.appearance.shapes,
      own: "fonts",
      settings: [
        at(
          "styling.corners",
          messages.appearance.corners,
          choice(
            ["straight", messages.appearance.cornersStraight],
            ["rounded", messages.appearance.cornersRounded],
            ["circular", messages.appearance.cornersCircular],
          ),
        ),
        at(
          "styling.depth",
          messages.appearance.depth,
          choice(["subtle", messages.appearance.depthSubtle], ["flat", messages.appearance.depthFlat]),
        ),
        at(
          "styling.links",
          messages.appearance.lookLinks,
          choice(["default", messages.appearance.linksDefault], ["accent", messages.appearance.linksAccent]),
        ),
        at(
          "styling.icons",
          messages.appearance.icons,
          choice(
            ["regular", messages.appearance.iconsRegular],
            ["solid", messages.appearance.iconsSolid],
            ["duotone", messages.appearance.iconsDuotone],
            ["light", messages.appearance.iconsLight],
            ["thin", messages.appearance.iconsThin],
          ),
        ),
        at(
          "styling.sidebar.background",
          messages.appearance.sidebar,
          choice(["default", messages.appearance.plainStyle], ["filled", messages.appearance.sidebarFilled]),
        ),
        at(
          "styling.sidebar.list",
          messages.appearance.sidebarList,
          choice(
            ["default", messages.appearance.plainStyle],
            ["pill", messages.appearance.listPill],
            ["line", messages.appearance.listLine],
          ),
        ),
        at(
          "styling.search",
          messages.appearance.searchField,
          choice(["prominent", messages.appearance.searchProminent], ["subtle", messages.appearance.searchSubtle]),
        ),
      ],
    },
    {
      title: messages.appearance.header,
      own: "header-links",
      settings: [
        at(
          "header.preset",
          messages.appearance.headerStyle,
          choice(
            ["default", messages.appearance.plainStyle],
            ["bold", messages.appearance.headerBold],
            ["contrast", messages.appearance.headerContrast],
            ["custom", messages.appearance.headerCustom],
            ["none", messages.appearance.headerNone],
          ),
        ),
        at(
          "header.backgroundColor",
          messages.appearance.headerBackground,
          { kind: "color", isOptional: true },
          messages.appearance.headerCustomHint,
        ),
        at(
          "header.linkColor",
          messages.appearance.headerLinkColor,
          { kind: "color", isOptional: true },
          messages.appearance.headerCustomHint,
        ),
      ],
    },
    {
      title: messages.appearance.footer,
      own: "footer-groups",
      settings: [
        at("footer.logo", messages.appearance.lookLogo, { kind: "image" }),
        at("footer.copyright", messages.appearance.copyright, { kind: "text", maxLength: 300 }),
        at("privacyPolicy.url", messages.appearance.privacyPolicy, { kind: "text", type: "url" }),
        at("trademark.enabled", messages.appearance.trademark, flag),
      ],
    },
    {
      title: messages.appearance.announcement,
      own: "announcement-link",
      settings: [
        at("announcement.enabled", messages.appearance.announcementOn, flag),
        at("announcement.message", messages.appearance.announcementText, { kind: "text", rows: 2, maxLength: 512 }),
        at(
          "announcement.style",
          messages.appearance.announcementStyle,
          choice(
            ["info", messages.appearance.infoColor],
            ["success", messages.appearance.successColor],
            ["warning", messages.appearance.warningColor],
            ["danger", messages.appearance.dangerColor],
          ),
        ),
      ],
    },
    {
      title: messages.appearance.onPages,
      settings: [
        at("pagination.enabled", messages.appearance.paginationOn, flag),
        at("feedback.enabled", messages.appearance.feedbackOn, flag),
        at("pdf.enabled", messages.appearance.pdfOn, flag),
        at("pageActions.markdown", messages.appearance.markdownOn, flag),
        at("pageActions.externalAI", messages.appearance.externalAiOn, flag),
        at("git.showEditLink", messages.appearance.editLinkOn, flag),
        at(
          "externalLinks.target",
          messages.appearance.externalLinks,
          choice(["self", messages.appearance.opensHere], ["blank", messages.appearance.opensNewTab]),
        ),
        at(
          "ai.mode",
          messages.appearance.askMode,
          choice(
            ["none", messages.appearance.askNone],
            ["search", messages.appearance.askSearch],
            ["assistant", messages.appearance.askAssistant],
            ["integration", messages.appearance.askIntegration],
          ),
        ),
        at(
          "ai.integrationId",
          messages.audience.siteIntegration,
          { kind: "text" },
          messages.appearance.askIntegrationHint,
        ),
      ],
    },
    {
      title: messages.appearance.languageAndSharing,
      settings: [
        at("internationalization.locale", messages.appearance.wordsOfSite, choice(...localeOptions)),
        at(
          "internationalization.language",
          messages.appearance.languageOfTexts,
          { kind: "text" },
          messages.appearance.languageOfTextsHint,
        ),
        at("socialPreview.url", messages.appearance.socialImage, { kind: "text", type: "url" }),
        at("socialPreview.description", messages.appearance.socialText, { kind: "text", rows: 2, maxLength: 256 }),
        at("insights.trackingCookie", messages.appearance.trackingCookie, flag, messages.appearance.noEffectYet),
        at(
          "advancedCustomization.enabled",
          messages.appearance.advancedCustomization,
          flag,
          messages.appearance.noEffectYet,
        ),
      ],
    },
  ];
}

const LOCALES = ["en", "de", "es", "fr", "ja", "nl", "no", "pt-br", "ru", "zh"] as const;
