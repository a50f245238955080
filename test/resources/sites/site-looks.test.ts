// Looks and redirects as they were stored before they had the shape of today, and a look that is sent back as it was
// read.

import { memoryStorage } from "octavo/memory";
import { beforeEach, expect, test } from "vitest";
import { redirects } from "../../../src/resources/sites/addresses/redirect-records";
import { customizations } from "../../../src/resources/sites/customization/customization-records";
import { getPartitionRef } from "../../../src/storage/ids";
import { createStore } from "../../../src/storage/store";
import type { Transaction } from "../../../src/storage/transaction";
import { type Setting, seeded, setUp } from "../../support/setting";

let setting: Setting;
let space: string;
let site: string;
let siteSpace: string;
let at: string;
const storage = { now: memoryStorage() };

beforeEach(async () => {
  storage.now = memoryStorage();
  setting = await setUp(storage.now);
  const { ask, org } = setting;
  space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).body.id;
  site = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", spaces: [space] })).body.id;
  at = `/v1/orgs/${org}/sites/${site}`;
  siteSpace = (await ask("admin", `GET ${at}/site-spaces`)).body.items[0].id;
  await ask("admin", `POST ${at}/publish`);
});

/** Writes what an earlier version wrote. */
async function stored(write: (tx: Transaction) => Promise<void>): Promise<void> {
  const store = createStore(storage.now, { now: () => new Date(0), random: seeded(5), pause: async () => {} });
  await store.write(getPartitionRef(setting.org).partition, write);
}

const color = { light: "#112233", dark: "#445566" };
const image = { light: "https://acme.example/l.png", dark: "https://acme.example/d.png" };
const home = { kind: "url" as const, url: "https://acme.example" };

const former = {
  title: "Acme",
  icon: { emoji: "1f4d8" },
  styling: {
    preset: "plain",
    corners: "square",
    font: "Open Sans",
    monospaceFont: "Comic Code",
    icons: "outline",
    links: "colored",
    sidebar: "filled",
  },
  colors: { primary: color, tint: color, info: color },
  theme: { mode: "system", canSwitch: false },
  header: {
    logo: image,
    links: [
      { title: "Home", to: home, style: "button" },
      { title: "More", style: "link", links: [{ title: "Home", to: home }] },
    ],
  },
  footer: { logo: null, groups: [{ title: "Read", links: [{ title: "Home", to: home }] }], copyright: null },
  announcement: { enabled: true, message: null, link: null, style: "warning" },
  internationalization: { locale: "pt-BR" },
  socialPreview: { image: image.light, description: "Docs" },
  pagination: { enabled: false },
  pdf: { enabled: false },
  feedback: { enabled: true },
  privacyPolicy: { url: null },
} as const;

const today = {
  title: "Acme",
  favicon: { emoji: "1f4d8" },
  styling: {
    theme: "clean",
    corners: "straight",
    font: "OpenSans",
    monospaceFont: { custom: true, fontFamily: "Comic Code", fontFaces: [] },
    icons: "regular",
    links: "accent",
    sidebar: { background: "filled", list: "default" },
    primaryColor: color,
    tint: { color },
    infoColor: color,
  },
  themes: { default: "light", followsDevice: true, toggeable: false },
  header: {
    preset: "default",
    logo: image,
    links: [
      { title: "Home", to: home, style: "button-primary", links: [] },
      { title: "More", to: null, style: "link", links: [{ title: "Home", to: home }] },
    ],
  },
  footer: { groups: [{ title: "Read", links: [{ title: "Home", to: home }] }] },
  announcement: { enabled: true, message: "", style: "warning" },
  internationalization: { locale: "pt-br" },
  socialPreview: { url: image.light, description: "Docs" },
  pagination: { enabled: false },
  pdf: { enabled: false },
  feedback: { enabled: true },
  privacyPolicy: {},
};

test("a customization stored in the former format reads in the current one, for editors and visitors", async () => {
  const { ask } = setting;
  await stored((tx) => customizations.put(tx, { site, siteSpace: null, settings: former }));
  const shown = await ask("create", `GET ${at}/customization`);
  expect(shown.body).toMatchObject(today);
  expect(JSON.stringify({ ...shown.body, header: {} })).not.toContain("null");
  expect((await ask("read", `GET ${at}`)).body.icon).toEqual(today.favicon);
  const { customizations: looks } = (await ask(null, `GET ${at}/published`)).body;
  expect(looks.site).toMatchObject({ title: "Acme", styling: today.styling, themes: today.themes });
  expect(looks.siteSpaces[siteSpace]).toEqual(looks.site);
});

test("overrides of a site space in the former format still apply and survive a change", async () => {
  const { ask } = setting;
  await stored(async (tx) => {
    await customizations.put(tx, { site, siteSpace: null, settings: former });
    const settings = { theme: { mode: "dark" as const }, internationalization: { locale: "it" }, footer: null };
    await customizations.put(tx, { site, siteSpace, settings });
  });
  const own = `${at}/site-spaces/${siteSpace}/customization`;
  expect((await ask("create", `GET ${own}`)).body).toMatchObject({
    title: "Acme",
    themes: { default: "dark", followsDevice: false, toggeable: false },
    internationalization: { locale: "pt-br", language: "it" },
  });
  const changed = await ask("create", `PATCH ${own}`, { title: "Mine" });
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({ title: "Mine", themes: { default: "dark" } });
});

test("every part of a former customization may be absent or null", async () => {
  const { ask } = setting;
  const plain = (await ask("create", `GET ${at}/customization`)).body;
  const names = Object.keys(former) as (keyof typeof former)[];
  for (const name of names)
    for (const value of [null, {}, undefined]) {
      if (name === "title" && value) continue;
      await stored((tx) => customizations.put(tx, { site, siteSpace: null, settings: { [name]: value } as object }));
      const shown = (await ask("create", `GET ${at}/customization`)).body;
      const wanted = name === "announcement" && value ? { announcement: { enabled: false } } : {};
      expect(shown, name).toMatchObject({ ...plain, ...wanted });
    }
});

test("a customization can be sent back as it was read", async () => {
  const { ask } = setting;
  await stored((tx) => customizations.put(tx, { site, siteSpace: null, settings: former }));
  const read = (await ask("create", `GET ${at}/customization`)).body;
  const sent = await ask("create", `PUT ${at}/customization`, read);
  expect([sent.status, sent.body]).toEqual([200, read]);
});

test("a redirect stored with a space reads with its site space and leads there", async () => {
  const { ask, org } = setting;
  const changes = [{ operation: "insert_page", title: "Start", document: { markdown: "A" } }];
  const page = (await ask("admin", `POST /v1/spaces/${space}/content`, { changes })).body.changes[0].page.id;
  const createdAt = "2026-01-01T00:00:00.000Z";
  const record = (source: string, destination: Parameters<typeof redirects.put>[1]["destination"]) => ({
    ...{ site, id: `red_${source}`, source: `/${source}`, destination, createdAt },
  });
  await stored(async (tx) => {
    await redirects.put(tx, record("a", { kind: "page", space, page }));
    await redirects.put(tx, record("b", { kind: "space", space }));
    await redirects.put(tx, record("c", { kind: "site-space", siteSpace }));
  });
  const shown = async () =>
    (await ask("create", `GET ${at}/redirects`)).body.items.map((it: { destination: object }) => it.destination);
  expect(await shown()).toEqual([
    { kind: "page", siteSpaceId: siteSpace, pageId: page },
    { kind: "site-space", siteSpaceId: siteSpace },
    { kind: "site-space", siteSpaceId: siteSpace },
  ]);
  const target = (await ask(null, `GET ${at}/redirect?source=%2Fa`)).body.target;
  expect(target).toBe(`http://localhost:3000/sites/${org}/docs/start`);
  await ask("admin", `DELETE ${at}/site-spaces/${siteSpace}`);
  expect(await shown()).toEqual([
    { kind: "page", pageId: page },
    { kind: "site-space" },
    { kind: "site-space", siteSpaceId: siteSpace },
  ]);
});

test("a logo is a URL of the web, or a small image in a data URL", async () => {
  const { ask } = setting;
  const put = (light: string) => ask("create", `PUT ${at}/customization`, { header: { logo: { light, dark: light } } });
  const embedded = `data:image/svg+xml;base64,${btoa("<svg/>")}`;
  for (const url of ["https://example.com/logo.svg", embedded]) {
    expect((await put(url)).status).toBe(200);
    expect((await ask(null, `GET ${at}/published`)).body.customizations.site.header.logo.light).toBe(url);
  }
  const prefix = "data:image/png;base64,";
  expect((await put(prefix + "A".repeat(8192 - prefix.length))).status).toBe(200);
  for (const refused of [
    prefix + "A".repeat(8193 - prefix.length),
    "data:text/html;base64,PHNjcmlwdD4=",
    'data:image/png;base64,"onerror=',
    "javascript:alert(1)",
    "/logo.svg",
  ])
    expect((await put(refused)).status, refused).toBe(400);
});
