// Embeds of hosts that are hostile: addresses that lead inside, markup that wants to run, and answers without end.

import { gzipSync } from "node:zlib";
import { memoryStorage } from "octavo/memory";
import { guardedFetch } from "octavo/node";
import { describe, expect, test } from "vitest";
import { redirectTo, resolver, site } from "../node/egress/servers";
import { dump, setUp } from "../support/setting";

/** A space, and a way to ask how addresses are shown in it. */
async function docs(fetch: typeof globalThis.fetch) {
  const errors: unknown[] = [];
  const storage = memoryStorage();
  const { ask, org } = await setUp(storage, { fetch, onError: (error) => errors.push(error) });
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).body.id;
  const before = await dump(storage);
  return {
    embed: async (url: string) => {
      const { status, body } = await ask("admin", `GET /v1/spaces/${space}/embed?url=${encodeURIComponent(url)}`);
      expect([status, body.error]).toEqual([200, undefined]);
      // Nothing is stored, and nobody has to be told.
      expect(await dump(storage)).toEqual(before);
      expect(errors).toEqual([]);
      return body as { type: string; title: string; site: string; icon?: string; html?: string };
    },
  };
}

/** A web of one host, whose oEmbed answer has this HTML. */
function saying(html: unknown, more: object = {}): typeof fetch {
  return async (input) =>
    String(input).endsWith("/oembed")
      ? Response.json({ type: "rich", html, ...more })
      : new Response('<title>Page</title><link rel="alternate" type="application/json+oembed" href="/oembed">', {
          headers: { "content-type": "text/html" },
        });
}

describe("S1, S2, S3: private addresses", () => {
  test("S1: a host is never requested by IP address or local name, whatever the guard allows", async () => {
    const asked: string[] = [];
    const { embed } = await docs(async (input) => {
      asked.push(String(input));
      return new Response("<title>Secret</title>", { headers: { "content-type": "text/html" } });
    });
    const hosts = [
      ...["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "017700000001", "0.0.0.0", "10.0.0.1"],
      ...["169.254.169.254", "[64:ff9b::7f00:1]", "localhost", "LOCALHOST.", "app.localhost", "printer.local", "wiki"],
      ...["wiki.internal", "wiki.corp", "nas.lan", "router.home.arpa"],
    ];
    for (const host of hosts) expect((await embed(`http://${host}:8080/secret`)).title).not.toBe("Secret");
    expect(asked).toEqual([]);
  });

  test("S2: a public name with a private address is refused, and the response does not reveal it", async () => {
    const inside = await site((_, res) => res.end("<title>Secret</title>"));
    const { embed } = await docs(guardedFetch({ lookup: resolver(["127.0.0.1"]).lookup }));
    const shown = await embed(`http://public.example:${inside.port}/secret`);
    expect(shown).toEqual({ type: "link", title: "public.example", site: "public.example" });
    expect(inside.requests).toEqual([]);
  });

  test.each([302, 307, 308])("S3: a host that redirects to a private address with %i leads nowhere", async (status) => {
    const inside = await site((_, res) => res.setHeader("content-type", "text/html").end("<title>Secret</title>"));
    for (const target of [inside.origin, `http://inside.example:${inside.port}`]) {
      const outside = await site(redirectTo(`${target}/secret`, status));
      const allow = [`outside.example:${outside.port}`];
      const { embed } = await docs(guardedFetch({ lookup: resolver(["127.0.0.1"]).lookup, allow }));
      expect((await embed(`http://outside.example:${outside.port}/`)).title).toBe("outside.example");
    }
    expect(inside.requests).toEqual([]);
  });

  test("S3: a host that redirects to one allowed for other uses leads nowhere", async () => {
    const inside = await site((_, res) => res.setHeader("content-type", "text/html").end("<title>Secret</title>"));
    for (const name of ["git.internal", "127.0.0.1"]) {
      const outside = await site(redirectTo(`http://${name}:${inside.port}/secret`));
      const allow = [`outside.example:${outside.port}`, `${name}:${inside.port}`];
      const { embed } = await docs(guardedFetch({ lookup: resolver(["127.0.0.1"]).lookup, allow }));
      expect((await embed(`http://outside.example:${outside.port}/`)).title).toBe("outside.example");
    }
    expect(inside.requests).toEqual([]);
  });

  test("S3: redirects between public hosts are followed up to a limit", async () => {
    let hops = 0;
    const { embed } = await docs(async (input) => {
      const url = new URL(String(input));
      if (url.hostname === "end.example")
        return new Response('<title>End</title><link rel="icon" href="i.png">', {
          headers: { "content-type": "text/html" },
        });
      hops++;
      const location = url.pathname === "/once" ? "https://end.example/a/b" : `/${hops}`;
      return new Response("Moved.", { status: 302, headers: { location } });
    });
    expect(await embed("https://a.example/once")).toMatchObject({ title: "End", icon: "https://end.example/a/i.png" });
    hops = 0;
    expect((await embed("https://a.example/for-ever")).title).toBe("a.example");
    expect(hops).toBe(6);
  });

  test("S3: an oEmbed address, an icon and a base with private addresses are omitted", async () => {
    const asked: string[] = [];
    for (const inside of ["http://127.0.0.1/oembed", "//localhost/oembed", "file:///etc/passwd", "http://[::1]/"]) {
      const head = `<base href="${inside}"><title>Page</title><link rel="icon" href="${inside}">
        <link rel="alternate" type="application/json+oembed" href="${inside}">`;
      const { embed } = await docs(async (input) => {
        asked.push(String(input));
        return new Response(head, { headers: { "content-type": "text/html" } });
      });
      expect(await embed("https://a.example/")).toEqual({ type: "link", title: "Page", site: "a.example" });
    }
    expect(new Set(asked)).toEqual(new Set(["https://a.example/"]));
  });
});

describe("S15: markup of a host", () => {
  test("S15: markup of a host is never passed on, only a frame that is generated here", async () => {
    const { embed } = await docs(
      saying(
        `<div onclick="evil()"><script src="https://evil.example/x.js"></script><style>*{}</style>
        <iframe name="top" srcdoc="<script>evil()</script>" onload="evil()" allow="camera *" sandbox="allow-top-navigation"
          width="100%" height="99999" src="https://player.example/1?a=&quot;&gt;&lt;script&gt;evil()&lt;/script&gt;"></iframe>`,
        { title: '"><script>evil()</script>' },
      ),
    );
    const { type, html, title } = await embed("https://a.example/");
    expect(type).toBe("rich");
    expect(title).toBe('"><script>evil()</script>');
    expect(html).toBe(
      '<iframe src="https://player.example/1?a=%22%3E%3Cscript%3Eevil()%3C/script%3E" height="4096"' +
        ' title="&quot;&gt;&lt;script&gt;evil()&lt;/script&gt;"' +
        ' sandbox="allow-scripts allow-same-origin allow-popups allow-forms allow-presentation"' +
        ' allow="fullscreen; picture-in-picture; encrypted-media" referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe>',
    );
  });

  test.each([
    "http://player.example/1",
    "javascript:evil()",
    " java\nscript:evil()",
    "data:text/html,<script>evil()</script>",
    "blob:https://player.example/1",
    "https://127.0.0.1/",
    "https://localhost/",
    "https://router.local/",
    "https://[::1]/",
    "https://ada:hunter2@player.example/",
    "//localhost/1",
    "/1",
    "",
    `https://player.example/${"x".repeat(3000)}`,
  ])("S15: a frame at %j is not shown", async (src) => {
    const { embed } = await docs(saying(`<iframe src="${src}"></iframe>`));
    expect(await embed("https://a.example/")).toEqual({ type: "link", title: "Page", site: "a.example" });
  });

  test.each([7, null, {}, ["<iframe src='https://player.example/'>"], "<iframe", `<b>${"x".repeat(70_000)}`])(
    "S15: a response with the HTML %j shows no frame",
    async (html) => {
      const { embed } = await docs(saying(html));
      expect((await embed("https://a.example/")).type).toBe("link");
    },
  );

  test.each(["null", "[]", "7", '"text"', "{", "", "[".repeat(100_000), '{"__proto__":{"title":"x"}}'])(
    "S15: the oEmbed response %j is ignored",
    async (json) => {
      const { embed } = await docs(async (input) =>
        String(input).endsWith("/oembed")
          ? new Response(json)
          : new Response("<title>Page</title><link rel=alternate type=application/json+oembed href=/oembed>", {
              headers: { "content-type": "text/html" },
            }),
      );
      expect(await embed("https://a.example/")).toEqual({ type: "link", title: "Page", site: "a.example" });
    },
  );
});

describe("S40: endless responses", () => {
  test("S40: only the beginning of a page is read, and its title counts", async () => {
    let sent = 0;
    let isCanceled = false;
    const { embed } = await docs(async () => {
      const body = new ReadableStream({
        pull(controller) {
          controller.enqueue(new TextEncoder().encode(sent++ === 0 ? "<title>Long</title>" : "<p>x".repeat(4096)));
        },
        cancel: () => {
          isCanceled = true;
        },
      });
      return new Response(body, { headers: { "content-type": "text/html" } });
    });
    expect((await embed("https://a.example/")).title).toBe("Long");
    expect(isCanceled).toBe(true);
    expect(sent).toBeLessThan(40);
  });

  test("S40: compressed data is counted decompressed", async () => {
    const bomb = gzipSync(`<title>Bomb</title>${"<p>".repeat(20_000_000)}`);
    const server = await site((_, res) => {
      res.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(bomb);
    });
    const allow = [`bomb.example:${server.port}`];
    const { embed } = await docs(guardedFetch({ lookup: resolver(["127.0.0.1"]).lookup, allow }));
    expect((await embed(`http://bomb.example:${server.port}/`)).title).toBe("Bomb");
  });

  test("S40: an oEmbed response that is too long is ignored", async () => {
    const { embed } = await docs(saying(`<iframe src="https://player.example/1"></iframe>${" ".repeat(200_000)}`));
    expect((await embed("https://a.example/")).type).toBe("link");
  });

  test("S40: a title is cut and has one line", async () => {
    const { embed } = await docs(saying(null, { title: `a\n\u0000 b${"\u{1F600}".repeat(10_000)}` }));
    const { title } = await embed("https://a.example/");
    expect([...title]).toHaveLength(300);
    expect(title.startsWith("a b\u{1F600}")).toBe(true);
  });
});

describe("text encodings", () => {
  const latin = Uint8Array.from([..."<title>Gr\u00fc\u00dfe</title>"].map((it) => it.charCodeAt(0)));
  test.each([
    ["text/html; charset=iso-8859-1", "Gr\u00fc\u00dfe"],
    ["text/html; charset=no-such-thing", "Gr\ufffd\ufffde"],
    ["text/html; charset=utf-8", "Gr\ufffd\ufffde"],
    ["application/octet-stream", "a.example"],
  ])("text in an unusual encoding is decoded: %s", async (type, title) => {
    const { embed } = await docs(async () => new Response(latin, { headers: { "content-type": type } }));
    expect((await embed("https://a.example/")).title).toBe(title);
  });
});
