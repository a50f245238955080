// How sites look, as stories.

import type { Scene, Story } from "../scenario";
import { makeSpace } from "./sites";

const at = "/v1/orgs/{org}/sites";
const look = `${at}/{site}/customization`;
const spaceLook = `${at}/{site}/site-spaces/{siteSpace}/customization`;
const link = (to: object) => ({ header: { links: [{ title: "Link", to }] } });

const made: Scene[] = [
  makeSpace("guide", "Guide"),
  makeSpace("closed", "Closed"),
  { as: "admin", ask: "PATCH /v1/spaces/{closed}", send: { defaultLevel: null }, expect: 200 },
  {
    as: "admin",
    ask: `POST ${at}`,
    send: { title: "Docs", spaces: ["{guide}", "{closed}"] },
    expect: 201,
    keep: { site: "id" },
  },
  { as: "admin", ask: `POST ${at}/{site}/publish`, expect: 200 },
  {
    as: null,
    ask: "POST /v1/urls/published",
    send: { url: "http://localhost:3000/sites/{org}/docs" },
    expect: 200,
    keep: { siteSpace: "siteSpace" },
  },
];

const color = { light: "#112233", dark: "#445566" };
const image = { light: "https://acme.example/l.png", dark: "https://acme.example/d.png" };
const home = { kind: "url", url: "https://acme.example" };
const sans = {
  fontFamily: "Acme Sans",
  fontFaces: [{ weight: 400, style: "normal", sources: [{ url: "https://acme.example/s.woff2", format: "woff2" }] }],
};

/** Every setting of the interface, each with another value than its default. */
const everything = {
  title: "Acme Docs",
  styling: {
    theme: "gradient",
    primaryColor: color,
    infoColor: color,
    successColor: color,
    warningColor: color,
    dangerColor: { light: "#abc", dark: "#DEF" },
    tint: { color },
    corners: "circular",
    depth: "flat",
    links: "accent",
    font: "IBMPlexSerif",
    monospaceFont: { custom: true, ...sans },
    background: "match",
    icons: "thin",
    sidebar: { background: "filled", list: "pill" },
    search: "subtle",
  },
  internationalization: { locale: "pt-br", language: "it" },
  favicon: { icon: image },
  header: {
    preset: "custom",
    logo: image,
    backgroundColor: color,
    linkColor: color,
    links: [
      {
        title: "Home",
        to: home,
        style: "button-primary",
        links: [{ title: "Guide", to: { kind: "space", space: "{guide}" } }],
        condition: "visitor.claims.isStaff",
      },
      { title: "More", to: null, style: "link", links: [] },
    ],
  },
  footer: { logo: image, groups: [{ title: "Read", links: [{ title: "Home", to: home }] }], copyright: "Acme" },
  announcement: { enabled: true, message: "News!", link: { title: "See", to: home }, style: "danger" },
  themes: { default: "dark", toggeable: false, followsDevice: true },
  pdf: { enabled: false },
  feedback: { enabled: true },
  ai: { mode: "integration", integrationId: "acme-ai" },
  advancedCustomization: { enabled: false },
  git: { showEditLink: true },
  pageActions: { externalAI: true, markdown: false },
  externalLinks: { target: "blank" },
  pagination: { enabled: false },
  trademark: { enabled: true },
  privacyPolicy: { url: "https://acme.example/privacy" },
  socialPreview: { url: "https://acme.example/preview.png", description: "Docs" },
  insights: { trackingCookie: true },
};

/** What a site looks like where nothing is set. */
const defaults = {
  title: undefined,
  styling: {
    theme: "clean",
    tint: undefined,
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
  favicon: (icon: object) => Object.keys(icon).length === 0,
  header: { preset: "default", logo: undefined, links: [] },
  footer: { logo: undefined, groups: [], copyright: undefined },
  announcement: undefined,
  themes: { default: "light", toggeable: true },
  pdf: { enabled: true },
  feedback: { enabled: false },
  ai: { mode: "none", integrationId: undefined },
  advancedCustomization: { enabled: true },
  git: { showEditLink: false },
  pageActions: { externalAI: false, markdown: true },
  externalLinks: { target: "self" },
  pagination: { enabled: true },
  trademark: { enabled: false },
  privacyPolicy: { url: undefined },
  socialPreview: { url: undefined },
  insights: { trackingCookie: false },
};

const refuses = (send: object, path: string): Scene => ({
  as: "create",
  ask: `PUT ${look}`,
  send,
  expect: 400,
  see: { error: { issues: [{ path }] } },
});

export const stories: Story[] = [
  {
    title: "a site looks as it is set, and as by default where nothing is",
    scenes: [
      ...made,
      { as: "create", ask: `GET ${look}`, expect: 200, see: defaults },
      { as: "review", ask: `GET ${look}`, expect: 403, reason: "forbidden" },
      { as: "review", ask: `PUT ${look}`, send: {}, expect: 403, reason: "forbidden" },
      { as: "create", ask: `PUT ${look}`, send: everything, expect: 200, see: everything },
      { as: "create", ask: `GET ${look}`, expect: 200, see: everything },
      { as: "read", ask: `GET ${at}/{site}`, expect: 200, see: { title: "Docs", icon: { icon: image } } },
      // What is left out has its default again.
      {
        as: "create",
        ask: `PUT ${look}`,
        send: { favicon: { emoji: "1f4d8" }, styling: { sidebar: { list: "line" } }, announcement: { message: "Hi" } },
        expect: 200,
        see: {
          ...defaults,
          favicon: { emoji: "1f4d8" },
          styling: { ...defaults.styling, sidebar: { background: "default", list: "line" } },
          announcement: { enabled: false, message: "Hi", style: "info", link: undefined },
        },
      },
      { as: "read", ask: `GET ${at}/{site}`, expect: 200, see: { icon: { emoji: "1f4d8" } } },
      { as: "create", ask: `PUT ${look}`, send: { favicon: {}, header: null }, expect: 200, see: defaults },
      { as: "read", ask: `GET ${at}/{site}`, expect: 200, see: { icon: undefined } },
    ],
  },
  {
    title: "a look with something that is not known, or leads nowhere, is refused by name",
    scenes: [
      ...made,
      refuses({ colour: {} }, "body.colour"),
      refuses({ icon: { emoji: "1f4d8" } }, "body.icon"),
      refuses({ themes: { default: "pink" } }, "body.themes.default"),
      refuses({ themes: { toggleable: true } }, "body.themes.toggleable"),
      refuses({ styling: { theme: "plain" } }, "body.styling.theme"),
      refuses({ styling: { primaryColor: { light: "#12", dark: "#112233" } } }, "body.styling.primaryColor.light"),
      refuses({ styling: { primaryColor: { light: "red", dark: "#112233" } } }, "body.styling.primaryColor.light"),
      refuses({ styling: { primaryColor: { light: "#112233" } } }, "body.styling.primaryColor.dark"),
      refuses({ styling: { tint: { color: { light: "#112233", dark: "x" } } } }, "body.styling.tint.color.dark"),
      refuses({ header: { linkColor: { light: "url(x)", dark: "#112233" } } }, "body.header.linkColor.light"),
      refuses({ styling: { font: "Comic Sans" } }, "body.styling.font"),
      refuses({ styling: { monospaceFont: "Inter" } }, "body.styling.monospaceFont"),
      refuses({ styling: { font: { fontFamily: "A; }", fontFaces: [] } } }, "body.styling.font.fontFamily"),
      refuses({ styling: { font: { id: "fnt_none" } } }, "body.styling.font.id"),
      refuses({ styling: { sidebar: { list: "dots" } } }, "body.styling.sidebar.list"),
      refuses({ internationalization: { locale: "it" } }, "body.internationalization.locale"),
      refuses({ internationalization: { language: "../x" } }, "body.internationalization.language"),
      refuses({ favicon: { icon: { light: "javascript:1", dark: image.dark } } }, "body.favicon.icon.light"),
      refuses({ privacyPolicy: { url: "javascript:alert(1)" } }, "body.privacyPolicy.url"),
      refuses({ socialPreview: { url: "data:text/html,x" } }, "body.socialPreview.url"),
      refuses({ ai: { mode: "magic" } }, "body.ai.mode"),
      refuses(link({ kind: "url", url: "javascript:alert(1)" }), "body.header.links.0.to.url"),
      refuses(link({ kind: "url", url: "//evil.example" }), "body.header.links.0.to.url"),
      refuses(link({ kind: "url", url: "mailto:a@b.example?body=x" }), "body.header.links.0.to.url"),
      refuses(link({ kind: "file", file: "fil_x" }), "body.header.links.0.to.kind"),
      refuses(link({ kind: "space", space: "spc_none" }), "body.header.links.0.to.space"),
      refuses(link({ kind: "site-section", siteSection: "{siteSpace}" }), "body.header.links.0.to.siteSection"),
      refuses(link({ kind: "page", space: "{guide}", page: "pag_none" }), "body.header.links.0.to.page"),
      refuses(link({ kind: "anchor", space: "{guide}", page: "pag_none", anchor: "a" }), "body.header.links.0.to.page"),
      refuses({ header: { links: [{ title: "A", condition: "visitor.(" }] } }, "body.header.links.0.condition"),
      refuses({ header: { links: [{ title: "A", style: "button" }] } }, "body.header.links.0.style"),
      refuses({ header: { links: Array.from({ length: 21 }, () => ({ title: "A" })) } }, "body.header.links"),
      // Who edits the site but may not see a space cannot link to it.
      refuses(link({ kind: "space", space: "{closed}" }), "body.header.links.0.to.space"),
      { as: "admin", ask: `PUT ${look}`, send: link({ kind: "space", space: "{closed}" }), expect: 200 },
    ],
  },
  {
    title: "a link in the header that has a condition is for visitors who meet it, and nobody is shown the condition",
    scenes: [
      ...made,
      { as: "create", ask: `PATCH ${at}/{site}`, send: { adaptiveContent: { enabled: true } }, expect: 403 },
      { as: "admin", ask: `PATCH ${at}/{site}`, send: { adaptiveContent: { enabled: true } }, expect: 200 },
      {
        as: "admin",
        ask: `PUT ${at}/{site}/adaptive-schema`,
        send: {
          jsonSchema: {
            type: "object",
            additionalProperties: false,
            properties: {
              unsigned: { type: "object", additionalProperties: false, properties: { isBeta: { type: "boolean" } } },
            },
          },
        },
        expect: 200,
      },
      {
        as: "create",
        ask: `PUT ${look}`,
        send: {
          header: {
            links: [
              { title: "Beta", to: home, condition: "visitor.claims.unsigned.isBeta" },
              { title: "All", links: [{ title: "Guide", to: { kind: "space", space: "{guide}" } }] },
            ],
          },
        },
        expect: 200,
        see: { header: { links: [{ condition: "visitor.claims.unsigned.isBeta" }, { condition: undefined }] } },
      },
      ...(
        [
          ["", ["All"]],
          ["?unsignedClaims=%7B%22isBeta%22%3Afalse%7D", ["All"]],
          ["?unsignedClaims=%7B%22isBeta%22%3Atrue%7D", ["Beta", "All"]],
        ] as const
      ).map(
        ([query, titles]): Scene => ({
          as: null,
          ask: `GET ${at}/{site}/published${query}`,
          expect: 200,
          see: {
            customizations: {
              site: {
                header: {
                  links: (links: { title: string }[]) =>
                    links.map(({ title }) => title).join() === titles.join() &&
                    links.every((it) => !("condition" in it)),
                },
              },
            },
          },
        }),
      ),
    ],
  },
  {
    title: "a font of the organization is used by its id, and cannot be deleted while a look uses it",
    scenes: [
      ...made,
      { as: "review", ask: "POST /v1/orgs/{org}/fonts", send: sans, expect: 403, reason: "forbidden" },
      { as: "guest", ask: "GET /v1/orgs/{org}/fonts", expect: 403, reason: "forbidden" },
      { as: "stranger", ask: "GET /v1/orgs/{org}/fonts", expect: 404, reason: "organization_not_found" },
      ...(
        [
          [{ ...sans, fontFaces: [] }, "body.fontFaces"],
          [{ ...sans, fontFamily: "A'; }" }, "body.fontFamily"],
          [{ ...sans, fontFaces: [{ weight: 0, sources: [{ url: image.light }] }] }, "body.fontFaces.0.weight"],
          [{ ...sans, fontFaces: [{ weight: 400, sources: [] }] }, "body.fontFaces.0.sources"],
          [
            { ...sans, fontFaces: [{ weight: 400, sources: [{ url: "data:font/woff2,x" }] }] },
            "body.fontFaces.0.sources.0.url",
          ],
          [{ ...sans, file: "x" }, "body.file"],
        ] as const
      ).map(
        ([send, path]): Scene => ({
          as: "create",
          ask: "POST /v1/orgs/{org}/fonts",
          send,
          expect: 400,
          see: { error: { issues: [{ path }] } },
        }),
      ),
      {
        as: "create",
        ask: "POST /v1/orgs/{org}/fonts",
        send: sans,
        expect: 201,
        see: { object: "font", custom: true, ...sans },
        keep: { font: "id" },
        seeHeaders: { location: (url) => url?.includes("/fonts/fnt_") === true },
      },
      { as: "read", ask: "GET /v1/orgs/{org}/fonts", expect: 200, see: { count: 1, items: [{ id: "{font}" }] } },
      { as: "read", ask: "GET /v1/orgs/{org}/fonts/{font}", expect: 200, see: { id: "{font}", ...sans } },
      { as: "guest", ask: "GET /v1/orgs/{org}/fonts/{font}", expect: 404, reason: "font_not_found" },
      { as: "read", ask: "GET /v1/orgs/{org}/fonts/fnt_none", expect: 404, reason: "font_not_found" },
      {
        as: "create",
        ask: `PUT ${look}`,
        send: { styling: { font: { id: "{font}" } } },
        expect: 200,
        see: { styling: { font: { id: "{font}", custom: true, ...sans }, monospaceFont: "IBMPlexMono" } },
      },
      {
        as: "create",
        ask: `PATCH ${spaceLook}`,
        // As it was read: what is said of the font beside its id comes from the font.
        send: { styling: { monospaceFont: { id: "{font}", custom: true, fontFamily: "Other", fontFaces: [] } } },
        expect: 200,
        see: {
          styling: { font: { id: "{font}" }, monospaceFont: { id: "{font}", ...sans } },
          overrides: { styling: { monospaceFont: { id: "{font}", fontFamily: undefined } } },
        },
      },
      { as: "review", ask: "DELETE /v1/orgs/{org}/fonts/{font}", expect: 403, reason: "forbidden" },
      { as: "create", ask: "DELETE /v1/orgs/{org}/fonts/{font}", expect: 409, reason: "font_in_use" },
      { as: "create", ask: `PUT ${look}`, send: {}, expect: 200 },
      { as: "create", ask: "DELETE /v1/orgs/{org}/fonts/{font}", expect: 409, reason: "font_in_use" },
      { as: "create", ask: `DELETE ${spaceLook}`, expect: 204 },
      { as: "create", ask: "DELETE /v1/orgs/{org}/fonts/{font}", expect: 204 },
      { as: "create", ask: "GET /v1/orgs/{org}/fonts/{font}", expect: 404, reason: "font_not_found" },
      refuses({ styling: { font: { id: "{font}" } } }, "body.styling.font.id"),
    ],
  },
  {
    title: "a site-space looks as its site does, but for what is set for itself",
    scenes: [
      ...made,
      {
        as: "create",
        ask: `PUT ${look}`,
        send: {
          title: "Acme",
          themes: { default: "dark" },
          footer: { copyright: "Acme", logo: image },
          styling: { sidebar: { list: "pill" }, tint: { color } },
        },
        expect: 200,
      },
      {
        as: "create",
        ask: `GET ${spaceLook}`,
        expect: 200,
        see: {
          object: "site-space-customization",
          siteSpace: "{siteSpace}",
          title: "Acme",
          themes: { default: "dark" },
          pdf: { enabled: true },
          overrides: (own: object) => Object.keys(own).length === 0,
        },
      },
      { as: "review", ask: `GET ${spaceLook}`, expect: 403, reason: "forbidden" },
      {
        as: "create",
        ask: `GET ${at}/{site}/site-spaces/ssp_none/customization`,
        expect: 404,
        reason: "site_space_not_found",
      },
      {
        as: "create",
        ask: `PATCH ${spaceLook}`,
        send: {
          themes: { toggeable: false },
          styling: { sidebar: { background: "filled" } },
          header: { links: [{ title: "Ours", to: { kind: "url", url: "https://a.example" } }] },
        },
        expect: 200,
        see: {
          title: "Acme",
          themes: { default: "dark", toggeable: false },
          styling: { sidebar: { background: "filled", list: "pill" }, tint: { color } },
          footer: { copyright: "Acme" },
          header: { links: [{ title: "Ours" }] },
          overrides: {
            title: undefined,
            themes: { default: undefined, toggeable: false },
            styling: { tint: undefined, sidebar: { background: "filled", list: undefined } },
          },
        },
      },
      // Null inside a group is a value: none, though the site has one.
      {
        as: "create",
        ask: `PATCH ${spaceLook}`,
        send: {
          title: "Guide",
          footer: { copyright: null, logo: null },
          styling: { tint: null },
          header: { links: [] },
        },
        expect: 200,
        see: {
          title: "Guide",
          themes: { toggeable: false },
          styling: { tint: undefined, sidebar: { background: "filled", list: "pill" } },
          footer: { copyright: undefined, logo: undefined, groups: [] },
          header: { links: [] },
        },
      },
      {
        as: null,
        ask: `GET ${at}/{site}/published`,
        expect: 200,
        see: {
          customizations: {
            site: { title: "Acme", footer: { copyright: "Acme" }, styling: { tint: { color } } },
            siteSpaces: (byId: Record<string, { title: string; footer: object; styling: object }>) =>
              Object.values(byId).some(
                ({ title, footer, styling }) => title === "Guide" && !("copyright" in footer) && !("tint" in styling),
              ),
          },
        },
      },
      {
        as: "create",
        ask: `PATCH ${spaceLook}`,
        send: { title: null, footer: null },
        expect: 200,
        see: {
          title: "Acme",
          footer: { copyright: "Acme" },
          overrides: { title: undefined, footer: undefined, themes: { toggeable: false } },
        },
      },
      { as: "create", ask: `PATCH ${spaceLook}`, send: { themes: { default: 1 } }, expect: 400 },
      { as: "review", ask: `PATCH ${spaceLook}`, send: {}, expect: 403 },
      { as: "review", ask: `DELETE ${spaceLook}`, expect: 403 },
      { as: "create", ask: `GET ${spaceLook}`, expect: 200, see: { overrides: { themes: { toggeable: false } } } },
      { as: "create", ask: `DELETE ${spaceLook}`, expect: 204 },
      { as: "guest", ask: `DELETE ${spaceLook}`, expect: 404, reason: "site_not_found" },
      {
        as: "create",
        ask: `GET ${spaceLook}`,
        expect: 200,
        see: { themes: { toggeable: true }, overrides: { themes: undefined } },
      },
    ],
  },
];
