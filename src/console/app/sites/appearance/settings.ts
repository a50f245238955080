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
  | { readonly kind: "choice"; readonly options: Readonly<Record<string, string>> }
  | { readonly kind: "color"; readonly isOptional?: boolean }
  | { readonly kind: "image" };

export interface SettingDefinition {
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
  const choice = (options: Readonly<Record<string, string>>): SettingControl => ({ kind: "choice", options });
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
      title: messages.lookName,
      own: "favicon",
      settings: [
        at("title", messages.lookTitle, { kind: "text", maxLength: 128 }, messages.lookTitleHint),
        at("header.logo", messages.lookLogo, { kind: "image" }),
      ],
    },
    {
      title: messages.colors,
      settings: [
        at("styling.primaryColor", messages.primaryColor, color),
        at("styling.tint.color", messages.tint, { kind: "color", isOptional: true }),
        at(
          "styling.theme",
          messages.lookTheme,
          choice({
            clean: messages.themeClean,
            muted: messages.themeMuted,
            bold: messages.themeBold,
            gradient: messages.themeGradient,
          }),
        ),
        at(
          "styling.background",
          messages.background,
          choice({ plain: messages.backgroundPlain, match: messages.backgroundMatch }),
        ),
        at("styling.infoColor", messages.infoColor, color),
        at("styling.successColor", messages.successColor, color),
        at("styling.warningColor", messages.warningColor, color),
        at("styling.dangerColor", messages.dangerColor, color),
      ],
    },
    {
      title: messages.lightAndDark,
      settings: [
        at("themes.followsDevice", messages.followsDevice, flag),
        at("themes.default", messages.defaultTheme, choice({ light: messages.light, dark: messages.dark })),
        at("themes.toggeable", messages.themeSwitch, flag),
      ],
    },
    {
      title: messages.shapes,
      own: "fonts",
      settings: [
        at(
          "styling.corners",
          messages.corners,
          choice({
            straight: messages.cornersStraight,
            rounded: messages.cornersRounded,
            circular: messages.cornersCircular,
          }),
        ),
        at("styling.depth", messages.depth, choice({ subtle: messages.depthSubtle, flat: messages.depthFlat })),
        at(
          "styling.links",
          messages.lookLinks,
          choice({ default: messages.linksDefault, accent: messages.linksAccent }),
        ),
        at(
          "styling.icons",
          messages.icons,
          choice({
            regular: messages.iconsRegular,
            solid: messages.iconsSolid,
            duotone: messages.iconsDuotone,
            light: messages.iconsLight,
            thin: messages.iconsThin,
          }),
        ),
        at(
          "styling.sidebar.background",
          messages.sidebar,
          choice({ default: messages.plainStyle, filled: messages.sidebarFilled }),
        ),
        at(
          "styling.sidebar.list",
          messages.sidebarList,
          choice({ default: messages.plainStyle, pill: messages.listPill, line: messages.listLine }),
        ),
        at(
          "styling.search",
          messages.searchField,
          choice({ prominent: messages.searchProminent, subtle: messages.searchSubtle }),
        ),
      ],
    },
    {
      title: messages.header,
      own: "header-links",
      settings: [
        at(
          "header.preset",
          messages.headerStyle,
          choice({
            default: messages.plainStyle,
            bold: messages.headerBold,
            contrast: messages.headerContrast,
            custom: messages.headerCustom,
            none: messages.headerNone,
          }),
        ),
        at(
          "header.backgroundColor",
          messages.headerBackground,
          { kind: "color", isOptional: true },
          messages.headerCustomHint,
        ),
        at(
          "header.linkColor",
          messages.headerLinkColor,
          { kind: "color", isOptional: true },
          messages.headerCustomHint,
        ),
      ],
    },
    {
      title: messages.footer,
      own: "footer-groups",
      settings: [
        at("footer.logo", messages.lookLogo, { kind: "image" }),
        at("footer.copyright", messages.copyright, { kind: "text", maxLength: 300 }),
        at("privacyPolicy.url", messages.privacyPolicy, { kind: "text", type: "url" }),
        at("trademark.enabled", messages.trademark, flag),
      ],
    },
    {
      title: messages.announcement,
      own: "announcement-link",
      settings: [
        at("announcement.enabled", messages.announcementOn, flag),
        at("announcement.message", messages.announcementText, { kind: "text", rows: 2, maxLength: 512 }),
        at(
          "announcement.style",
          messages.announcementStyle,
          choice({
            info: messages.infoColor,
            success: messages.successColor,
            warning: messages.warningColor,
            danger: messages.dangerColor,
          }),
        ),
      ],
    },
    {
      title: messages.onPages,
      settings: [
        at("pagination.enabled", messages.paginationOn, flag),
        at("feedback.enabled", messages.feedbackOn, flag),
        at("pdf.enabled", messages.pdfOn, flag),
        at("pageActions.markdown", messages.markdownOn, flag),
        at("pageActions.externalAI", messages.externalAiOn, flag),
        at("git.showEditLink", messages.editLinkOn, flag),
        at(
          "externalLinks.target",
          messages.externalLinks,
          choice({ self: messages.opensHere, blank: messages.opensNewTab }),
        ),
        at(
          "ai.mode",
          messages.askMode,
          choice({
            none: messages.askNone,
            search: messages.askSearch,
            assistant: messages.askAssistant,
            integration: messages.askIntegration,
          }),
        ),
        at("ai.integrationId", messages.siteIntegration, { kind: "text" }, messages.askIntegrationHint),
      ],
    },
    {
      title: messages.languageAndSharing,
      settings: [
        at("internationalization.locale", messages.wordsOfSite, choice(Object.fromEntries(localeOptions))),
        at("internationalization.language", messages.languageOfTexts, { kind: "text" }, messages.languageOfTextsHint),
        at("socialPreview.url", messages.socialImage, { kind: "text", type: "url" }),
        at("socialPreview.description", messages.socialText, { kind: "text", rows: 2, maxLength: 256 }),
        at("insights.trackingCookie", messages.trackingCookie, flag, messages.noEffectYet),
        at("advancedCustomization.enabled", messages.advancedCustomization, flag, messages.noEffectYet),
      ],
    },
  ];
}

const LOCALES = ["en", "de", "es", "fr", "ja", "nl", "no", "pt-br", "ru", "zh"] as const;
