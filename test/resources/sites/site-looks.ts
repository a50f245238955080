// How sites look, as stories.

import { ask, create, defineStory, get, list, refuse, type Scene, type Story, send } from "../scenario";
import { makeSpace } from "./sites";

const at = "/v1/orgs/{org}/sites";
const look = `${at}/{site}/customization`;
const spaceLook = `${at}/{site}/site-spaces/{siteSpace}/customization`;
const link = (to: object) => ({ header: { links: [{ title: "Link", to }] } });

const made: Scene[] = [
  makeSpace("guide", "Guide"),
  makeSpace("closed", "Closed"),
  send("admin", "PATCH /v1/spaces/{closed}", 200, { defaultLevel: null }),
  create("admin", `POST ${at}`, "site", { title: "Docs", spaces: ["{guide}", "{closed}"] }),
  ask("admin", `POST ${at}/{site}/publish`, 200),
  ask(null, "POST /v1/urls/published", 200, {
    send: { url: "http://localhost:3000/sites/{org}/docs" },
    keep: { siteSpace: "siteSpace" },
  }),
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

const refuses = (send: object, path: string): Scene => refuse("create", `PUT ${look}`, path, send);

export const stories: Story[] = [
  defineStory("a site looks as it is set, and as by default where nothing is", [
    ...made,
    get("create", look, defaults),
    ask("review", `GET ${look}`, "403 forbidden"),
    ask("create", `PUT ${look}`, 200, { send: everything, see: everything }),
    get("create", look, everything),
    get("read", `${at}/{site}`, { title: "Docs", icon: { icon: image } }),
    // What is left out has its default again.
    ask("create", `PUT ${look}`, 200, {
      send: { favicon: { emoji: "1f4d8" }, styling: { sidebar: { list: "line" } }, announcement: { message: "Hi" } },
      see: {
        ...defaults,
        favicon: { emoji: "1f4d8" },
        styling: { ...defaults.styling, sidebar: { background: "default", list: "line" } },
        announcement: { enabled: false, message: "Hi", style: "info", link: undefined },
      },
    }),
    get("read", `${at}/{site}`, { icon: { emoji: "1f4d8" } }),
    ask("create", `PUT ${look}`, 200, { send: { favicon: {}, header: null }, see: defaults }),
    get("read", `${at}/{site}`, { icon: undefined }),
  ]),
  defineStory("a look with something that is not known, or leads nowhere, is refused by name", [
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
    send("admin", `PUT ${look}`, 200, link({ kind: "space", space: "{closed}" })),
  ]),
  defineStory(
    "a link in the header that has a condition is for visitors who meet it, and nobody is shown the condition",
    [
      ...made,
      send("create", `PATCH ${at}/{site}`, 403, { adaptiveContent: { enabled: true } }),
      send("admin", `PATCH ${at}/{site}`, 200, { adaptiveContent: { enabled: true } }),
      send("admin", `PUT ${at}/{site}/adaptive-schema`, 200, {
        jsonSchema: {
          type: "object",
          additionalProperties: false,
          properties: {
            unsigned: { type: "object", additionalProperties: false, properties: { isBeta: { type: "boolean" } } },
          },
        },
      }),
      ask("create", `PUT ${look}`, 200, {
        send: {
          header: {
            links: [
              { title: "Beta", to: home, condition: "visitor.claims.unsigned.isBeta" },
              { title: "All", links: [{ title: "Guide", to: { kind: "space", space: "{guide}" } }] },
            ],
          },
        },
        see: { header: { links: [{ condition: "visitor.claims.unsigned.isBeta" }, { condition: undefined }] } },
      }),
      ...(
        [
          ["", ["All"]],
          ["?unsignedClaims=%7B%22isBeta%22%3Afalse%7D", ["All"]],
          ["?unsignedClaims=%7B%22isBeta%22%3Atrue%7D", ["Beta", "All"]],
        ] as const
      ).map(
        ([query, titles]): Scene =>
          get(null, `${at}/{site}/published${query}`, {
            customizations: {
              site: {
                header: {
                  links: (links: { title: string }[]) =>
                    links.map(({ title }) => title).join() === titles.join() &&
                    links.every((it) => !("condition" in it)),
                },
              },
            },
          }),
      ),
    ],
  ),
  defineStory("a font of the organization is used by its id, and cannot be deleted while a look uses it", [
    ...made,
    ask("guest", "GET /v1/orgs/{org}/fonts", "403 forbidden"),
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
    ).map(([send, path]): Scene => refuse("create", "POST /v1/orgs/{org}/fonts", path, send)),
    ask("create", "POST /v1/orgs/{org}/fonts", 201, {
      send: sans,
      see: { object: "font", custom: true, ...sans },
      keep: { font: "id" },
      seeHeaders: { location: (url) => url?.includes("/fonts/fnt_") === true },
    }),
    list("read", "/v1/orgs/{org}/fonts", [{ id: "{font}", permissions: { edit: false } }]),
    get("read", "/v1/orgs/{org}/fonts/{font}", { id: "{font}", ...sans }),
    get("create", "/v1/orgs/{org}/fonts/{font}", { permissions: { edit: true } }),
    ask("read", "GET /v1/orgs/{org}/fonts/fnt_none", "404 font_not_found"),
    ask("create", `PUT ${look}`, 200, {
      send: { styling: { font: { id: "{font}" } } },
      see: { styling: { font: { id: "{font}", custom: true, ...sans }, monospaceFont: "IBMPlexMono" } },
    }),
    ask("create", `PATCH ${spaceLook}`, 200, {
      // As it was read: what is said of the font beside its id comes from the font.
      send: { styling: { monospaceFont: { id: "{font}", custom: true, fontFamily: "Other", fontFaces: [] } } },
      see: {
        styling: { font: { id: "{font}" }, monospaceFont: { id: "{font}", ...sans } },
        overrides: { styling: { monospaceFont: { id: "{font}", fontFamily: undefined } } },
      },
    }),
    ask("create", "DELETE /v1/orgs/{org}/fonts/{font}", "409 font_in_use"),
    send("create", `PUT ${look}`, 200, {}),
    ask("create", "DELETE /v1/orgs/{org}/fonts/{font}", "409 font_in_use"),
    ask("create", `DELETE ${spaceLook}`, 204),
    ask("create", "DELETE /v1/orgs/{org}/fonts/{font}", 204),
    ask("create", "GET /v1/orgs/{org}/fonts/{font}", "404 font_not_found"),
    refuses({ styling: { font: { id: "{font}" } } }, "body.styling.font.id"),
  ]),
  defineStory("a font that is added by PUT is changed in part, and sites that use it show the change", [
    ...made,
    ask("edit", "PUT /v1/orgs/{org}/fonts", "403 forbidden", { send: sans }),
    refuse("create", "PUT /v1/orgs/{org}/fonts", "body.fontFaces", { fontFamily: "Acme Sans" }),
    ask("create", "PUT /v1/orgs/{org}/fonts", 201, {
      send: sans,
      see: { object: "font", ...sans },
      keep: { font: "id" },
      seeHeaders: { location: (url) => url?.includes("/fonts/fnt_") === true },
    }),
    ask("edit", "POST /v1/orgs/{org}/fonts/{font}", "403 forbidden", { send: {} }),
    ask("create", "POST /v1/orgs/{org}/fonts/fnt_none", "404 font_not_found", { send: {} }),
    refuse("create", "POST /v1/orgs/{org}/fonts/{font}", "body.fontFaces", { fontFaces: [] }),
    refuse("create", "POST /v1/orgs/{org}/fonts/{font}", "body.id", { id: "fnt_other" }),
    send("create", `PUT ${look}`, 200, { styling: { font: { id: "{font}" } } }),
    ask("create", "POST /v1/orgs/{org}/fonts/{font}", 200, {
      send: { fontFamily: "Acme Serif" },
      see: { id: "{font}", fontFamily: "Acme Serif", fontFaces: sans.fontFaces },
    }),
    get("create", look, { styling: { font: { id: "{font}", fontFamily: "Acme Serif", fontFaces: sans.fontFaces } } }),
    ask("create", "POST /v1/orgs/{org}/fonts/{font}", 200, { send: {}, see: { fontFamily: "Acme Serif" } }),
    list("read", "/v1/orgs/{org}/fonts", [{ id: "{font}", fontFamily: "Acme Serif" }]),
  ]),
  defineStory("a site-space looks as its site does, but for what is set for itself", [
    ...made,
    send("create", `PUT ${look}`, 200, {
      title: "Acme",
      themes: { default: "dark" },
      footer: { copyright: "Acme", logo: image },
      styling: { sidebar: { list: "pill" }, tint: { color } },
    }),
    get("create", spaceLook, {
      object: "site-space-customization",
      siteSpace: "{siteSpace}",
      title: "Acme",
      themes: { default: "dark" },
      pdf: { enabled: true },
      overrides: (own: object) => Object.keys(own).length === 0,
    }),
    ask("create", `GET ${at}/{site}/site-spaces/ssp_none/customization`, "404 site_space_not_found"),
    ask("create", `PATCH ${spaceLook}`, 200, {
      send: {
        themes: { toggeable: false },
        styling: { sidebar: { background: "filled" } },
        header: { links: [{ title: "Ours", to: { kind: "url", url: "https://a.example" } }] },
      },
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
    }),
    // Null inside a group is a value: none, though the site has one.
    ask("create", `PATCH ${spaceLook}`, 200, {
      send: { title: "Guide", footer: { copyright: null, logo: null }, styling: { tint: null }, header: { links: [] } },
      see: {
        title: "Guide",
        themes: { toggeable: false },
        styling: { tint: undefined, sidebar: { background: "filled", list: "pill" } },
        footer: { copyright: undefined, logo: undefined, groups: [] },
        header: { links: [] },
      },
    }),
    get(null, `${at}/{site}/published`, {
      customizations: {
        site: { title: "Acme", footer: { copyright: "Acme" }, styling: { tint: { color } } },
        siteSpaces: (byId: Record<string, { title: string; footer: object; styling: object }>) =>
          Object.values(byId).some(
            ({ title, footer, styling }) => title === "Guide" && !("copyright" in footer) && !("tint" in styling),
          ),
      },
    }),
    ask("create", `PATCH ${spaceLook}`, 200, {
      send: { title: null, footer: null },
      see: {
        title: "Acme",
        footer: { copyright: "Acme" },
        overrides: { title: undefined, footer: undefined, themes: { toggeable: false } },
      },
    }),
    send("create", `PATCH ${spaceLook}`, 400, { themes: { default: 1 } }),
    ask("review", `DELETE ${spaceLook}`, 403),
    get("create", spaceLook, { overrides: { themes: { toggeable: false } } }),
    ask("create", `DELETE ${spaceLook}`, 204),
    get("create", spaceLook, { themes: { toggeable: true }, overrides: { themes: undefined } }),
  ]),
];
