// How addresses in pages are shown, as stories: what hosts say of themselves, and the blocks of integrations.

import type { Scene, Story } from "../scenario";

const bot = "/v1/integrations/bot";
const embed = (url: string) => `GET /v1/spaces/{space}/embed?url=${encodeURIComponent(url)}`;

const html = (head: string, headers: Record<string, string> = {}) =>
  new Response(`<!doctype html><html><head>${head}</head><body>Text.</body></html>`, {
    headers: { "content-type": "text/html; charset=utf-8", ...headers },
  });

/** A web of a few pages. Everything else is not found. */
const web: typeof fetch = async (input) => {
  const url = new URL(String(input));
  if (url.href === "https://www.news.example/article")
    return html(
      '<title>An article</title><meta property="og:site_name" content="The News"><link rel="shortcut icon" href="/n.png">',
    );
  if (url.href === "https://video.example/1")
    return html(
      '<title>Video 1</title><link rel="alternate" type="application/json+oembed" href="/oembed?url=1&amp;format=json">',
    );
  if (url.href === "https://video.example/oembed?url=1&format=json")
    return Response.json({
      type: "video",
      title: 'A "fine" video',
      provider_name: "Videos",
      html: '<script>alert(1)</script><iframe src="https://player.video.example/1?a=1&b=2" width="640" height="360px" onload="alert(2)" srcdoc="<script>"></iframe>',
    });
  if (url.href.startsWith("https://www.youtube.com/oembed?format=json&url="))
    return Response.json({ type: "video", title: "Known", provider_name: "YouTube", html: "<blockquote>no frame" });
  return new Response("Nothing here.", { status: 404 });
};

const space: Scene = {
  as: "admin",
  ask: "POST /v1/orgs/{org}/spaces",
  send: { title: "Guide" },
  expect: 201,
  keep: { space: "id" },
};
const closed: Scene = { as: "admin", ask: "PATCH /v1/spaces/{space}", send: { defaultLevel: null }, expect: 200 };

const frame =
  '<iframe src="https://player.video.example/1?a=1&amp;b=2" width="640" height="360" title="A &quot;fine&quot; video"' +
  ' sandbox="allow-scripts allow-same-origin allow-popups allow-forms allow-presentation"' +
  ' allow="fullscreen; picture-in-picture; encrypted-media" referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe>';

export const stories: Story[] = [
  {
    title: "an address is shown as its host describes it, and as a link with the host's name when it does not answer",
    options: { fetch: web },
    scenes: [
      space,
      closed,
      {
        as: "admin",
        ask: embed("https://www.news.example/article#part"),
        expect: 200,
        see: { type: "link", title: "An article", site: "The News", icon: "https://www.news.example/n.png" },
      },
      {
        as: "admin",
        ask: embed("https://video.example/1"),
        expect: 200,
        see: { type: "rich", title: 'A "fine" video', site: "Videos", icon: undefined, html: frame },
      },
      {
        as: "admin",
        ask: embed("https://youtu.be/x"),
        expect: 200,
        see: { type: "link", title: "Known", site: "YouTube", html: undefined },
      },
      {
        as: "admin",
        ask: embed("https://www.gone.example/x"),
        expect: 200,
        see: { type: "link", title: "gone.example", site: "gone.example" },
      },
      { as: "read", ask: embed("https://video.example/1"), expect: 404, reason: "space_not_found" },
      { as: null, ask: embed("https://video.example/1"), expect: 401, reason: "unauthorized" },
      {
        as: "admin",
        ask: "GET /v1/spaces/{space}/embed",
        expect: 400,
        reason: "invalid_request",
        see: { error: { issues: [{ path: "query.url" }] } },
      },
      ...["ftp://video.example/1", "javascript:alert(1)", "/1", "https://", "file:///etc/passwd"].map((url) => ({
        as: "admin" as const,
        ask: embed(url),
        expect: 400,
        reason: "invalid_request",
      })),
    ],
  },
  {
    title: "without a way to other hosts every address is a link",
    scenes: [
      space,
      {
        as: "admin",
        ask: embed("https://video.example/1"),
        expect: 200,
        see: { type: "link", title: "video.example", site: "video.example" },
      },
    ],
  },
  {
    title: "a block of an integration that works on the space shows the addresses that it names",
    options: { fetch: web },
    scenes: [
      space,
      {
        as: "rival",
        ask: `POST ${bot}`,
        send: {
          visibility: "public",
          title: "Cards",
          blocks: [
            { id: "note", title: "Note" },
            { id: "card", title: "Card", urlUnfurl: ["https://*.cards.example/c/*", "https://video.example"] },
          ],
        },
        expect: 200,
      },
      {
        as: "admin",
        ask: `POST ${bot}/installations`,
        send: { organization: "{org}" },
        expect: 201,
        keep: { installation: "id" },
      },
      { as: "admin", ask: embed("https://video.example/1"), expect: 200, see: { type: "rich" } },
      {
        as: "admin",
        ask: `POST ${bot}/installations/{installation}/spaces`,
        send: { space: "{space}" },
        expect: 201,
      },
      {
        as: "admin",
        ask: embed("https://video.example/1"),
        expect: 200,
        see: { type: "integration", title: "Card", site: "Cards", integration: "bot", block: "card" },
      },
      { as: "admin", ask: embed("https://a.cards.example/c/1"), expect: 200, see: { type: "integration" } },
      { as: "admin", ask: embed("https://a.cards.example/d/1"), expect: 200, see: { type: "link" } },
      {
        as: "admin",
        ask: `PATCH ${bot}/installations/{installation}`,
        send: { status: "paused" },
        expect: 200,
      },
      { as: "admin", ask: embed("https://video.example/1"), expect: 200, see: { type: "rich" } },
    ],
  },
];
