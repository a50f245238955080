// The look of a site, on the wire. Settings are in groups; a setting that is not set has its default. Inside a group
// `null` is a value where it is allowed: no logo, no tint.

import * as v from "valibot";
import { Id, Link, listOf, text, WebUrl } from "../../../shapes";
import { targetWith } from "../addresses/target-schema";

const MAX_LINKS = 20;
const MAX_GROUPS = 10;

const flag = v.boolean("Expected true or false");
const oneOf = <const Options extends readonly string[]>(...options: Options) =>
  v.picklist(options, `Expected one of ${options.join(", ")}`);

/** A URL for readers: a web page or a mail address. */
const LinkAddress = v.union(
  [WebUrl, v.pipe(v.string(), v.maxLength(2048), v.regex(/^mailto:[^\s?#@]+@[^\s?#]+$/i))],
  "Expected a URL that begins with http://, https:// or mailto:",
);
const LinkTarget = v.pipe(targetWith(LinkAddress), v.title("SiteLinkTarget"));

const Hex = v.pipe(v.string("Expected a colour"), v.regex(/^#[0-9a-fA-F]{6}$/, "Expected a colour such as #336699"));
const Color = v.strictObject({ light: Hex, dark: Hex });
const Image = v.strictObject({ light: WebUrl, dark: WebUrl });
const FontName = v.pipe(
  text(1, 64),
  v.regex(/^[\p{L}\p{N}][\p{L}\p{N} _-]*$/u, "Expected the name of a font"),
  v.description("A font that the renderer knows; it falls back to one of its own."),
);
const Locale = v.pipe(
  v.string("Expected a language"),
  v.regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, "Expected a language such as en or pt-BR"),
);

const Icon = v.union(
  [v.strictObject({ icon: Image }), v.strictObject({ emoji: text(1, 50) })],
  "Expected an icon or an emoji",
);

const shownUrl = v.optional(
  v.pipe(Link, v.description("Where it leads whoever asks; only in what visitors are given.")),
);
const plainLink = { title: text(1, 64), to: LinkTarget };
const headerLink = {
  title: text(1, 64),
  to: v.optional(LinkTarget),
  style: v.optional(oneOf("link", "button", "secondary-button"), "link"),
};

const strictGroups = {
  styling: {
    preset: oneOf("plain", "muted", "bold", "gradient"),
    corners: oneOf("square", "rounded", "round"),
    font: FontName,
    monospaceFont: FontName,
    icons: oneOf("outline", "solid", "duotone"),
    links: oneOf("underlined", "colored"),
    sidebar: oneOf("plain", "filled"),
  },
  colors: { primary: Color, tint: v.nullable(Color), info: Color, success: Color, warning: Color, danger: Color },
  theme: { mode: oneOf("light", "dark", "system"), canSwitch: flag },
  internationalization: { locale: Locale },
  socialPreview: { image: v.nullable(WebUrl), description: v.nullable(text(1, 256)) },
  pagination: { enabled: flag },
  pdf: { enabled: flag },
  feedback: { enabled: flag },
  privacyPolicy: { url: v.nullable(WebUrl) },
};

const linkGroups = {
  header: {
    logo: v.nullable(Image),
    links: listOf(
      v.strictObject({ ...headerLink, links: v.optional(listOf(v.strictObject(plainLink), MAX_LINKS)) }),
      MAX_LINKS,
    ),
  },
  footer: {
    logo: v.nullable(Image),
    groups: listOf(
      v.strictObject({ title: text(1, 64), links: listOf(v.strictObject(plainLink), MAX_LINKS) }),
      MAX_GROUPS,
    ),
    copyright: v.nullable(text(1, 300)),
  },
  announcement: {
    enabled: flag,
    message: v.nullable(text(1, 512)),
    link: v.nullable(v.strictObject(plainLink)),
    style: oneOf("info", "success", "warning", "danger"),
  },
};

const some = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.optional(v.nullable(v.partial(v.strictObject(entries))));

/** Settings in a request. A field that is left out does not change; null removes what was set here. */
export const CustomizationChanges = v.pipe(
  v.strictObject({
    title: v.optional(v.nullable(text(2, 128))),
    icon: v.optional(v.nullable(Icon)),
    styling: some(strictGroups.styling),
    colors: some(strictGroups.colors),
    theme: some(strictGroups.theme),
    header: some(linkGroups.header),
    footer: some(linkGroups.footer),
    announcement: some(linkGroups.announcement),
    internationalization: some(strictGroups.internationalization),
    socialPreview: some(strictGroups.socialPreview),
    pagination: some(strictGroups.pagination),
    pdf: some(strictGroups.pdf),
    feedback: some(strictGroups.feedback),
    privacyPolicy: some(strictGroups.privacyPolicy),
  }),
  v.title("CustomizationChanges"),
);

const shownLink = v.object({ ...plainLink, url: shownUrl });

/** Effective settings, complete. */
export const SiteCustomization = v.pipe(
  v.object({
    title: v.pipe(v.nullable(v.string()), v.description("Null: the site's own.")),
    icon: v.nullable(Icon),
    styling: v.object(strictGroups.styling),
    colors: v.object(strictGroups.colors),
    theme: v.object(strictGroups.theme),
    header: v.object({
      logo: v.nullable(Image),
      links: v.array(v.object({ ...headerLink, url: shownUrl, links: v.optional(v.array(shownLink)) })),
    }),
    footer: v.object({
      logo: v.nullable(Image),
      groups: v.array(v.object({ title: v.string(), links: v.array(shownLink) })),
      copyright: v.nullable(v.string()),
    }),
    announcement: v.object({ ...linkGroups.announcement, link: v.nullable(shownLink) }),
    internationalization: v.object(strictGroups.internationalization),
    socialPreview: v.object(strictGroups.socialPreview),
    pagination: v.object(strictGroups.pagination),
    pdf: v.object(strictGroups.pdf),
    feedback: v.object(strictGroups.feedback),
    privacyPolicy: v.object(strictGroups.privacyPolicy),
  }),
  v.title("SiteCustomization"),
);

/** The settings of a site-space, and the effective settings on top of the site's. */
export const SiteSpaceCustomization = v.pipe(
  v.object({
    object: v.literal("site-space-customization"),
    siteSpace: Id,
    overrides: CustomizationChanges,
    settings: SiteCustomization,
  }),
  v.title("SiteSpaceCustomization"),
);

/** The settings of one place. */
export type Overrides = v.InferOutput<typeof CustomizationChanges>;
/** Effective settings. */
export type Customization = v.InferOutput<typeof SiteCustomization>;
