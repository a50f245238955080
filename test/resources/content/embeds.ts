// How addresses in pages are shown, as stories: what hosts say of themselves, and the blocks of integrations.

import { ask, create, defineStory, type Scene, type Story, send } from "../scenario";

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

const space: Scene = create("admin", "POST /v1/orgs/{org}/spaces", "space", { title: "Guide" });
const closed: Scene = send("admin", "PATCH /v1/spaces/{space}", 200, { defaultLevel: null });

const frame =
  '<iframe src="https://player.video.example/1?a=1&amp;b=2" width="640" height="360" title="A &quot;fine&quot; video"' +
  ' sandbox="allow-scripts allow-same-origin allow-popups allow-forms allow-presentation"' +
  ' allow="fullscreen; picture-in-picture; encrypted-media" referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe>';

const anywhere = (url: string) => `GET /v1/urls/embed?url=${encodeURIComponent(url)}`;

export const stories: Story[] = [
  defineStory("an address is described without a space to whoever has a token", { options: { fetch: web } }, [
    ask("stranger", anywhere("https://www.news.example/article"), 200, {
      see: { type: "link", title: "An article", site: "The News", icon: "https://www.news.example/n.png" },
    }),
    ask("guest", anywhere("https://video.example/1"), 200, { see: { type: "rich", site: "Videos", html: frame } }),
    ask("read", anywhere("https://www.gone.example/x"), 200, { see: { type: "link", title: "gone.example" } }),
    ask(null, anywhere("https://www.news.example/article"), "401 unauthorized"),
    ask("read", anywhere("file:///etc/passwd"), 400),
    ask("read", "GET /v1/urls/embed", 400),
  ]),
  defineStory(
    "an address is shown as its host describes it, and as a link with the host's name when it does not answer",
    { options: { fetch: web } },
    [
      space,
      closed,
      ask("admin", embed("https://www.news.example/article#part"), 200, {
        see: { type: "link", title: "An article", site: "The News", icon: "https://www.news.example/n.png" },
      }),
      ask("admin", embed("https://video.example/1"), 200, {
        see: { type: "rich", title: 'A "fine" video', site: "Videos", icon: undefined, html: frame },
      }),
      ask("admin", embed("https://youtu.be/x"), 200, {
        see: { type: "link", title: "Known", site: "YouTube", html: undefined },
      }),
      ask("admin", embed("https://www.gone.example/x"), 200, {
        see: { type: "link", title: "gone.example", site: "gone.example" },
      }),
      ask("read", embed("https://video.example/1"), "404 space_not_found"),
      ask("admin", "GET /v1/spaces/{space}/embed", "400 invalid_request", {
        see: { error: { issues: [{ path: "query.url" }] } },
      }),
      ...["ftp://video.example/1", "javascript:alert(1)", "/1", "https://", "file:///etc/passwd"].map((url) =>
        ask("admin" as const, embed(url), "400 invalid_request"),
      ),
    ],
  ),
  defineStory("without a way to other hosts every address is a link", [
    space,
    ask("admin", embed("https://video.example/1"), 200, {
      see: { type: "link", title: "video.example", site: "video.example" },
    }),
  ]),
  defineStory(
    "a block of an integration that works on the space shows the addresses that it names",
    { options: { fetch: web } },
    [
      space,
      send("rival", `POST ${bot}`, 200, {
        visibility: "public",
        title: "Cards",
        blocks: [
          { id: "note", title: "Note" },
          { id: "card", title: "Card", urlUnfurl: ["https://*.cards.example/c/*", "https://video.example"] },
        ],
      }),
      create("admin", `POST ${bot}/installations`, "installation", { organization: "{org}" }),
      ask("admin", embed("https://video.example/1"), 200, { see: { type: "rich" } }),
      send("admin", `POST ${bot}/installations/{installation}/spaces`, 201, { space: "{space}" }),
      ask("admin", embed("https://video.example/1"), 200, {
        see: { type: "integration", title: "Card", site: "Cards", integration: "bot", block: "card" },
      }),
      ask("admin", embed("https://a.cards.example/c/1"), 200, { see: { type: "integration" } }),
      ask("admin", embed("https://a.cards.example/d/1"), 200, { see: { type: "link" } }),
      send("admin", `PATCH ${bot}/installations/{installation}`, 200, { status: "paused" }),
      ask("admin", embed("https://video.example/1"), 200, { see: { type: "rich" } }),
    ],
  ),
];
