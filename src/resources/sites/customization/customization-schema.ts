// The look of a site, on the wire. Settings are in groups; a setting that is not set has its default. In a request,
// `null` for a setting that may be absent means that there is none, even where the site has one.

import * as v from "valibot";
import { Id, listSchema, namedObject, textSchema, UrlString, WebUrl } from "../../../operation/common-schemas";
import { IntegrationName } from "../audience/visitor-schema";
import { ConditionText } from "../structure/item-schema";
import { createFontChoiceSchema, MONOSPACE_FONTS, ShownFont, TEXT_FONTS } from "./font-schema";

const MAX_LINKS = 20;
const MAX_GROUPS = 10;

const flag = v.boolean("Expected true or false");
const createPicklist = <const Options extends readonly string[]>(...options: Options) =>
  v.picklist(options, `Expected one of ${options.join(", ")}`);

/** A URL for readers: a web page or a mail address. */
const LinkAddress = v.union(
  [WebUrl, v.pipe(v.string(), v.maxLength(2048), v.regex(/^mailto:[^\s?#@]+@[^\s?#]+$/i))],
  "Expected a URL that begins with http://, https:// or mailto:",
);
/** The target of a link: an address, or content of the site by its id. */
const LinkTarget = v.pipe(
  v.variant(
    "kind",
    [
      v.strictObject({ kind: v.literal("url"), url: LinkAddress }),
      v.strictObject({ kind: v.literal("page"), space: Id, page: Id }),
      v.strictObject({ kind: v.literal("anchor"), space: Id, page: Id, anchor: textSchema(1, 512) }),
      v.strictObject({ kind: v.literal("space"), space: Id }),
      v.strictObject({ kind: v.literal("site-space"), siteSpace: Id }),
      v.strictObject({ kind: v.literal("site-section"), siteSection: Id }),
    ],
    "Expected a url, page, anchor, space, site-space or site-section",
  ),
  v.title("SiteLinkTarget"),
);

const Hex = v.pipe(
  v.string("Expected a colour"),
  v.regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, "Expected a colour such as #336699"),
);
const Color = v.pipe(v.strictObject({ light: Hex, dark: Hex }), v.title("CustomizationColor"));
const Tint = v.strictObject({ color: Color });
/** The longest image that a customization may contain. Every page of the site has it in its markup. */
const MAX_IMAGE_LENGTH = 8192;
const ImageUrl = v.union(
  [
    WebUrl,
    v.pipe(
      v.string(),
      v.maxLength(MAX_IMAGE_LENGTH),
      v.regex(/^data:image\/(?:svg\+xml|png|webp|jpeg);base64,[A-Za-z0-9+/]+={0,2}$/),
    ),
  ],
  `Expected a URL that begins with http:// or https://, or a small image as data:image/svg+xml;base64,…`,
);
const Image = v.pipe(v.strictObject({ light: ImageUrl, dark: ImageUrl }), v.title("CustomizationImage"));

/** The languages that renderers of this interface have words for. */
export const LOCALES = ["en", "fr", "es", "zh", "ja", "de", "nl", "no", "pt-br", "ru"] as const;

const Language = v.pipe(
  v.string("Expected a language"),
  v.regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, "Expected a language such as it or pt-BR"),
  v.description("The language of the content, if `locale` doesn't support it."),
);

const Favicon = v.union(
  [v.strictObject({ icon: Image }), v.strictObject({ emoji: textSchema(1, 50) }), v.strictObject({})],
  "Expected an icon, an emoji, or neither",
);

const shownUrl = v.optional(
  v.pipe(
    UrlString,
    v.description("The URL of the target for the current visitor. Present only in responses for visitors."),
  ),
);
const plainLink = { title: textSchema(1, 64), to: v.optional(v.nullable(LinkTarget), null) };
const PlainLinks = listSchema(v.strictObject(plainLink), MAX_LINKS);
const LinkGroups = listSchema(v.strictObject({ title: textSchema(1, 64), links: PlainLinks }), MAX_GROUPS);
const headerLink = {
  ...plainLink,
  style: v.optional(createPicklist("link", "button-primary", "button-secondary"), "link"),
  condition: v.optional(
    v.pipe(ConditionText, v.description("The condition under which visitors see the link. Not returned to visitors.")),
  ),
};
const HeaderLinks = listSchema(v.strictObject({ ...headerLink, links: v.optional(PlainLinks, []) }), MAX_LINKS);

const sidebar = { background: createPicklist("default", "filled"), list: createPicklist("default", "pill", "line") };

const styling = {
  theme: createPicklist("clean", "muted", "bold", "gradient"),
  primaryColor: Color,
  infoColor: Color,
  successColor: Color,
  warningColor: Color,
  dangerColor: Color,
  corners: createPicklist("straight", "rounded", "circular"),
  depth: createPicklist("subtle", "flat"),
  links: createPicklist("default", "accent"),
  background: createPicklist("plain", "match"),
  icons: createPicklist("regular", "solid", "duotone", "light", "thin"),
  search: createPicklist("prominent", "subtle"),
};

/** Groups whose settings all have a value in the end. */
const plainGroups = {
  themes: {
    default: createPicklist("light", "dark"),
    toggeable: flag,
    followsDevice: v.pipe(
      flag,
      v.description("Whether the preference of the reader's device takes precedence, if it has one."),
    ),
  },
  pdf: { enabled: flag },
  feedback: { enabled: flag },
  advancedCustomization: { enabled: flag },
  git: { showEditLink: flag },
  pageActions: { externalAI: flag, markdown: flag },
  externalLinks: { target: createPicklist("self", "blank") },
  pagination: { enabled: flag },
  trademark: { enabled: flag },
  insights: { trackingCookie: flag },
};

const preset = createPicklist("default", "bold", "contrast", "custom", "none");
const aiMode = createPicklist("none", "search", "assistant", "integration");
const locale = createPicklist(...LOCALES);
const announcement = {
  enabled: flag,
  message: textSchema(0, 512),
  style: createPicklist("info", "warning", "danger", "success"),
};
const Copyright = textSchema(1, 300);
const PreviewText = v.pipe(textSchema(1, 256), v.description("The text shown with the preview."));

const createOptionalGroup = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.optional(v.nullable(v.partial(v.strictObject(entries))));

/** Settings in a request. A field that is left out does not change; null removes what was set here. */
export const CustomizationChanges = v.pipe(
  v.strictObject({
    title: v.optional(v.nullable(textSchema(2, 128))),
    styling: createOptionalGroup({
      ...styling,
      tint: v.nullable(Tint),
      font: createFontChoiceSchema(TEXT_FONTS),
      monospaceFont: createFontChoiceSchema(MONOSPACE_FONTS),
      sidebar: v.partial(v.strictObject(sidebar)),
    }),
    internationalization: createOptionalGroup({ locale, language: v.nullable(Language) }),
    favicon: v.optional(v.nullable(Favicon)),
    header: createOptionalGroup({
      preset,
      logo: v.nullable(Image),
      backgroundColor: v.nullable(Color),
      linkColor: v.nullable(Color),
      links: HeaderLinks,
    }),
    footer: createOptionalGroup({ logo: v.nullable(Image), groups: LinkGroups, copyright: v.nullable(Copyright) }),
    announcement: createOptionalGroup({ ...announcement, link: v.nullable(v.strictObject(plainLink)) }),
    themes: createOptionalGroup(plainGroups.themes),
    pdf: createOptionalGroup(plainGroups.pdf),
    feedback: createOptionalGroup(plainGroups.feedback),
    ai: createOptionalGroup({ mode: aiMode, integrationId: v.nullable(IntegrationName) }),
    advancedCustomization: createOptionalGroup(plainGroups.advancedCustomization),
    git: createOptionalGroup(plainGroups.git),
    pageActions: createOptionalGroup(plainGroups.pageActions),
    externalLinks: createOptionalGroup(plainGroups.externalLinks),
    pagination: createOptionalGroup(plainGroups.pagination),
    trademark: createOptionalGroup(plainGroups.trademark),
    privacyPolicy: createOptionalGroup({ url: v.nullable(WebUrl) }),
    socialPreview: createOptionalGroup({ url: v.nullable(WebUrl), description: v.nullable(PreviewText) }),
    insights: createOptionalGroup(plainGroups.insights),
  }),
  v.title("CustomizationChanges"),
);

const shownLink = v.object({ ...plainLink, url: shownUrl });

const settings = {
  title: v.optional(
    v.pipe(
      v.string(),
      v.description(
        "The displayed name. Omitted if it is the title of the site. Always present in responses for visitors.",
      ),
    ),
  ),
  styling: v.object({
    ...styling,
    tint: v.optional(Tint),
    font: v.union([v.picklist(TEXT_FONTS), ShownFont]),
    monospaceFont: v.union([v.picklist(MONOSPACE_FONTS), ShownFont]),
    sidebar: v.object(sidebar),
  }),
  internationalization: v.object({ locale, language: v.optional(Language) }),
  favicon: Favicon,
  header: v.object({
    preset,
    logo: v.optional(Image),
    backgroundColor: v.optional(Color),
    linkColor: v.optional(Color),
    links: v.array(v.object({ ...headerLink, url: shownUrl, links: v.array(shownLink) })),
  }),
  footer: v.object({
    logo: v.optional(Image),
    groups: v.array(v.object({ title: v.string(), links: v.array(shownLink) })),
    copyright: v.optional(v.string()),
  }),
  announcement: v.optional(v.object({ ...announcement, link: v.optional(shownLink) })),
  themes: v.object(plainGroups.themes),
  pdf: v.object(plainGroups.pdf),
  feedback: v.object(plainGroups.feedback),
  ai: v.object({ mode: aiMode, integrationId: v.optional(IntegrationName) }),
  advancedCustomization: v.object(plainGroups.advancedCustomization),
  git: v.object(plainGroups.git),
  pageActions: v.object(plainGroups.pageActions),
  externalLinks: v.object(plainGroups.externalLinks),
  pagination: v.object(plainGroups.pagination),
  trademark: v.object(plainGroups.trademark),
  privacyPolicy: v.object({ url: v.optional(WebUrl) }),
  socialPreview: v.object({ url: v.optional(WebUrl), description: v.optional(PreviewText) }),
  insights: v.object(plainGroups.insights),
};

/** Effective settings, complete. */
export const SiteCustomization = namedObject("SiteCustomization", settings);

/** The effective settings of a site-space, and those that are its own. */
export const SiteSpaceCustomization = namedObject("SiteSpaceCustomization", {
  object: v.literal("site-space-customization"),
  siteSpace: Id,
  ...settings,
  overrides: CustomizationChanges,
});

/** The settings of one place. */
export type Overrides = v.InferOutput<typeof CustomizationChanges>;
/** Effective settings. */
export type Customization = v.InferOutput<typeof SiteCustomization>;
