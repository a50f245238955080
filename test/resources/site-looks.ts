// How sites look, as stories.

import type { Scene, Story } from "./scenario";
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

export const stories: Story[] = [
  {
    title: "a site looks as it is set, and as by default where nothing is",
    scenes: [
      ...made,
      {
        as: "create",
        ask: `GET ${look}`,
        expect: 200,
        see: {
          title: null,
          icon: null,
          theme: { mode: "system" },
          header: { logo: null, links: [] },
          pdf: { enabled: true },
        },
      },
      { as: "review", ask: `GET ${look}`, expect: 403, reason: "forbidden" },
      { as: "review", ask: `PUT ${look}`, send: {}, expect: 403, reason: "forbidden" },
      {
        as: "create",
        ask: `PUT ${look}`,
        send: {
          title: "Acme Docs",
          icon: { emoji: "1f4d8" },
          colors: { primary: { light: "#112233", dark: "#445566" } },
          theme: { mode: "dark" },
          header: {
            logo: { light: "https://acme.example/l.png", dark: "https://acme.example/d.png" },
            links: [
              { title: "Home", to: { kind: "url", url: "https://acme.example" }, style: "button" },
              { title: "More", links: [{ title: "Mail", to: { kind: "url", url: "mailto:us@acme.example" } }] },
            ],
          },
          footer: { groups: [{ title: "Read", links: [{ title: "Guide", to: { kind: "space", space: "{guide}" } }] }] },
        },
        expect: 200,
        see: {
          title: "Acme Docs",
          colors: { primary: { light: "#112233" }, tint: null },
          theme: { mode: "dark", canSwitch: true },
          header: {
            links: [
              { title: "Home", style: "button" },
              { title: "More", style: "link" },
            ],
          },
          footer: { copyright: null },
        },
      },
      { as: "read", ask: `GET ${at}/{site}`, expect: 200, see: { title: "Docs", icon: { emoji: "1f4d8" } } },
      // What is left out has its default again.
      {
        as: "create",
        ask: `PUT ${look}`,
        send: { pdf: { enabled: false } },
        expect: 200,
        see: { title: null, theme: { mode: "system" }, pdf: { enabled: false } },
      },
      { as: "read", ask: `GET ${at}/{site}`, expect: 200, see: { icon: undefined } },
      ...(
        [
          [{ colour: {} }, "body.colour"],
          [{ theme: { mode: "pink" } }, "body.theme.mode"],
          [{ theme: { size: 1 } }, "body.theme.size"],
          [{ colors: { primary: { light: "#123", dark: "#112233" } } }, "body.colors.primary.light"],
          [{ colors: { primary: { light: "#112233" } } }, "body.colors.primary.dark"],
          [{ internationalization: { locale: "../x" } }, "body.internationalization.locale"],
          [{ privacyPolicy: { url: "javascript:alert(1)" } }, "body.privacyPolicy.url"],
          [{ socialPreview: { image: "data:text/html,x" } }, "body.socialPreview.image"],
          [link({ kind: "url", url: "javascript:alert(1)" }), "body.header.links.0.to.url"],
          [link({ kind: "url", url: "//evil.example" }), "body.header.links.0.to.url"],
          [link({ kind: "url", url: "mailto:a@b.example?body=x" }), "body.header.links.0.to.url"],
          [link({ kind: "file", file: "fil_x" }), "body.header.links.0.to.kind"],
          [link({ kind: "space", space: "spc_none" }), "body.header.links.0.to.space"],
          [link({ kind: "site-section", siteSection: "{siteSpace}" }), "body.header.links.0.to.siteSection"],
          [link({ kind: "page", space: "{guide}", page: "pag_none" }), "body.header.links.0.to.page"],
          [{ header: { links: Array.from({ length: 21 }, () => ({ title: "A" })) } }, "body.header.links"],
        ] as const
      ).map(
        ([send, path]): Scene => ({
          as: "create",
          ask: `PUT ${look}`,
          send,
          expect: 400,
          see: { error: { issues: [{ path }] } },
        }),
      ),
      // Who edits the site but may not see a space cannot link to it.
      { as: "create", ask: `PUT ${look}`, send: link({ kind: "space", space: "{closed}" }), expect: 400 },
      { as: "admin", ask: `PUT ${look}`, send: link({ kind: "space", space: "{closed}" }), expect: 200 },
    ],
  },
  {
    title: "a site-space looks as its site does, but for what is set for itself",
    scenes: [
      ...made,
      {
        as: "create",
        ask: `PUT ${look}`,
        send: { title: "Acme", theme: { mode: "dark" }, footer: { copyright: "Acme" } },
        expect: 200,
      },
      {
        as: "create",
        ask: `GET ${spaceLook}`,
        expect: 200,
        see: { siteSpace: "{siteSpace}", overrides: {}, settings: { title: "Acme", theme: { mode: "dark" } } },
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
          theme: { canSwitch: false },
          header: { links: [{ title: "Ours", to: { kind: "url", url: "https://a.example" } }] },
        },
        expect: 200,
        see: {
          overrides: { title: undefined, theme: { mode: undefined, canSwitch: false } },
          settings: {
            title: "Acme",
            theme: { mode: "dark", canSwitch: false },
            footer: { copyright: "Acme" },
            header: { links: [{ title: "Ours" }] },
          },
        },
      },
      {
        as: "create",
        ask: `PATCH ${spaceLook}`,
        send: { title: "Guide", footer: { copyright: null }, header: { links: [] } },
        expect: 200,
        see: {
          settings: { title: "Guide", theme: { canSwitch: false }, footer: { copyright: null }, header: { links: [] } },
        },
      },
      {
        as: "create",
        ask: `PATCH ${spaceLook}`,
        send: { title: null, footer: null },
        expect: 200,
        see: {
          overrides: { title: undefined, footer: undefined, theme: { canSwitch: false } },
          settings: { title: "Acme", footer: { copyright: "Acme" } },
        },
      },
      { as: "create", ask: `PATCH ${spaceLook}`, send: { theme: { mode: 1 } }, expect: 400 },
      { as: "review", ask: `PATCH ${spaceLook}`, send: {}, expect: 403 },
      { as: "review", ask: `DELETE ${spaceLook}`, expect: 403 },
      { as: "create", ask: `GET ${spaceLook}`, expect: 200, see: { overrides: { theme: { canSwitch: false } } } },
      { as: "create", ask: `DELETE ${spaceLook}`, expect: 204 },
      { as: "guest", ask: `DELETE ${spaceLook}`, expect: 404, reason: "site_not_found" },
      {
        as: "create",
        ask: `GET ${spaceLook}`,
        expect: 200,
        see: { overrides: { theme: undefined }, settings: { theme: { canSwitch: true } } },
      },
    ],
  },
];
