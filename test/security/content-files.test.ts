// Files: a download URL opens one file of one space, and nothing that a file holds runs where it is shown.

import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Host, host } from "../support/listening";
import { DAY, forgetSecret, HOUR, open, type Setting, setUp } from "../support/setting";
import { changed, newFile, newSpace } from "./contents";

type Claims = [space: string, object: string, name: string, type: string, user: string, until: number];

let setting: Setting;
let space: string;

beforeEach(async () => {
  setting = await setUp(memoryStorage());
  space = await newSpace(setting);
});

const tokenOf = ({ downloadURL }: { downloadURL: string }) => downloadURL.split("/downloads/")[1]!;
const textOf = (token: string) => token.split(".")[0]!;
const signatureOf = (token: string) => token.split(".")[1]!;
const claimsOf = (token: string): Claims => JSON.parse(Buffer.from(textOf(token), "base64url").toString());
const sealed = (claims: unknown, signature: string) =>
  `${Buffer.from(JSON.stringify(claims)).toString("base64url")}.${signature}`;
const download = (token: string, as: "rival" | null = null) => setting.ask(as, `GET /v1/downloads/${token}`);

describe("S12: signed file URLs", () => {
  test("S12: a file URL needs no token, opens one file, and accepts no other method", async () => {
    const file = await newFile(setting, space, { name: "a.txt", content: "mine" });
    const token = tokenOf(file);
    expect([(await download(token)).status, (await download(token)).body]).toEqual([200, "mine"]);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect((await setting.ask("admin", `${method} /v1/downloads/${token}`)).status).toBe(405);
  });

  test("S12: the signature covers the space, bytes, name, type, person and expiry", async () => {
    const mine = tokenOf(await newFile(setting, space, { name: "a.txt", content: "mine" }));
    const other = await newSpace(setting);
    const next = tokenOf(await newFile(setting, other, { name: "b.html", content: "<p>other</p>" }));
    const [ours, theirs] = [claimsOf(mine), claimsOf(next)];
    const changes: [index: number, value: unknown][] = [
      ...ours.map((_, i): [number, unknown] => [i, theirs[i]]),
      [1, "0".repeat(64)],
      [1, `../${ours[1]}`],
      [2, "a.html"],
      [3, "text/html"],
      [3, "image/png"],
      [4, setting.ids.admin],
      [4, null],
      [5, ours[5] + 3600],
      [5, Number.MAX_SAFE_INTEGER],
      [5, "soon"],
    ];
    const forged = changes
      .filter(([i, value]) => value !== ours[i])
      .map(([i, value]) => sealed(ours.with(i, value as never), signatureOf(mine)));
    for (const token of [...forged, `${textOf(mine)}.${signatureOf(next)}`, `${textOf(next)}.${signatureOf(mine)}`])
      expect((await download(token)).body.error.reason, token).toBe("file_not_found");
    expect((await download(mine)).status).toBe(200);
  });

  test("S12: no other spelling of a file URL is valid", async () => {
    const token = tokenOf(await newFile(setting, space, { name: "a.txt", content: "mine" }));
    const [text, signature] = [textOf(token), signatureOf(token)];
    const spellings = [
      text,
      `${text}.`,
      `.${signature}`,
      `${text}.${signature}x`,
      `${text}.${signature.slice(0, -1)}`,
      `${text}.${signature.toUpperCase()}`,
      `${text}=.${signature}`,
      `${text}..${signature}`,
      `${signature}.${text}`,
      sealed(claimsOf(token).slice(0, 5), signature),
      sealed([...claimsOf(token), 1], signature),
      sealed(null, signature),
      sealed({ length: 6 }, signature),
      Buffer.from(token).toString("base64url"),
      "x",
      "%00",
      "__proto__",
    ];
    for (const spelling of spellings) expect((await download(spelling)).status, spelling).toBe(404);
  });

  test("S12: nothing may follow the signature", async () => {
    const token = tokenOf(await newFile(setting, space, { name: "a.txt", content: "mine" }));
    for (const more of [".", ".x", `.${textOf(token)}`, "%2Ex"])
      expect((await download(token + more)).status).toBe(404);
  });

  test("S12: a file URL of one organization cannot open another organization's file with the same bytes", async () => {
    const foreign = await newSpace(setting, {}, "rival");
    const file = { name: "a.txt", content: "the same" };
    const mine = tokenOf(await newFile(setting, space, file));
    const theirs = tokenOf(await newFile(setting, foreign, file, "rival"));
    const [ours, other] = [claimsOf(mine), claimsOf(theirs)];
    expect(ours.with(0, other[0]).with(4, other[4])).toEqual(other);
    expect((await download(sealed(other, signatureOf(mine)))).status).toBe(404);
    expect((await download(sealed(ours, signatureOf(theirs)))).status).toBe(404);
    await setting.ask("rival", `DELETE /v1/spaces/${foreign}`);
    expect([(await download(mine)).status, (await download(theirs)).status]).toEqual([200, 404]);
  });

  test("S12: a URL of another deployment or with another secret is forged", async () => {
    const token = tokenOf(await newFile(setting, space, { name: "a.txt", content: "mine" }));
    await forgetSecret(setting.storage);
    const { askWith } = open(setting.storage, { secret: "another secret of more than thirty-two characters" });
    expect((await askWith(null, `GET /v1/downloads/${token}`)).status).toBe(404);
  });

  test("S12: a path below downloads leads to no other file or resource", async () => {
    const token = tokenOf(await newFile(setting, space, { name: "a.txt", content: "mine" }));
    const object = claimsOf(token)[1];
    const paths = [
      `downloads/${object}`,
      `downloads/%2F..%2F${object}`,
      `downloads/..%2Fspaces%2F${space}`,
      `downloads/%2e%2e%2f${token}`,
      `downloads/${token}%2F..%2F${token}`,
      `downloads/${token}%2f`,
      `downloads/${token}%00`,
      `downloads/${token}/${token}`,
      `downloads/x%2F${token}`,
      `downloads/${"A".repeat(20_000)}.x`,
      "downloads",
    ];
    for (const path of paths) expect((await setting.ask(null, `GET /v1/${path}`)).status, path).toBe(404);
    expect((await setting.ask(null, `GET /v1/downloads/../spaces/${space}`)).status).toBe(401);
  });

  test("S12: a file URL expires after one or two hours, to the second", async () => {
    const token = tokenOf(await newFile(setting, space, { name: "a.txt", content: "mine" }));
    const left = claimsOf(token)[5] * 1000 - setting.clock.now.getTime();
    expect([left > HOUR, left <= 2 * HOUR]).toEqual([true, true]);
    setting.clock.forward(left - 1);
    expect((await download(token)).status).toBe(200);
    setting.clock.forward(1);
    expect((await download(token)).status).toBe(404);
  });

  test("S12: a file URL stops working while its space is in the trash and after it is purged", async () => {
    const token = tokenOf(await newFile(setting, space, { name: "a.txt", content: "mine" }));
    await setting.ask("create", `DELETE /v1/spaces/${space}`);
    expect((await download(token)).body.error.reason).toBe("file_not_found");
    await setting.ask("create", `POST /v1/spaces/${space}/restore`);
    expect((await download(token)).status).toBe(200);
    await setting.ask("create", `DELETE /v1/spaces/${space}`);
    setting.clock.forward(40 * DAY);
    for (let n = 0; n < 5; n++) await setting.api.maintain();
    expect((await download(token)).status).toBe(404);
  });

  test("S12: a file URL stops working when a collection around its space is put into the trash", async () => {
    const { ask, org } = setting;
    const collection = (await ask("create", `POST /v1/orgs/${org}/collections`, { title: "Around" })).body.id;
    const inner = await newSpace(setting, { parent: collection });
    const token = tokenOf(await newFile(setting, inner, { name: "a.txt", content: "mine" }));
    expect((await download(token)).status).toBe(200);
    await ask("admin", `DELETE /v1/collections/${collection}`);
    expect((await download(token)).status).toBe(404);
  });

  test("S12: after a file is removed from the content, no new URL is issued, and the old one lasts its hour", async () => {
    const file = await newFile(setting, space, { name: "a.txt", content: "mine" });
    await changed(setting, space, [{ operation: "delete_files", files: [file.id] }]);
    expect((await setting.ask("read", `GET /v1/spaces/${space}/content/files/${file.id}`)).status).toBe(404);
    expect((await download(tokenOf(file))).status).toBe(200);
    setting.clock.forward(2 * HOUR);
    expect((await download(tokenOf(file))).status).toBe(404);
  });

  test("S12: file URLs move with a space to another organization for its readers", async () => {
    const token = tokenOf(await newFile(setting, space, { name: "a.txt", content: "mine" }, "admin"));
    const { ask, otherOrg } = setting;
    const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" })).body.id;
    await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
    const sent = await ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: otherOrg });
    expect([200, 202]).toContain(sent.status);
    for (let n = 0; n < 3; n++) await setting.api.maintain();
    expect((await ask("rival", `GET /v1/spaces/${space}`)).body.organization).toBe(otherOrg);
    expect([(await download(token)).status, (await download(token)).body]).toEqual([200, "mine"]);
  });
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const SCRIPT = "<script>alert(document.domain)</script>";
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);

/** What a browser would run if it were let: the name, the bytes, and the type that they are told by. */
const ACTIVE: readonly (readonly [name: string, content: string | Uint8Array, type: string])[] = [
  ["a.svg", `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${SCRIPT}</svg>`, "image/svg+xml"],
  ["b.png", `<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`, "image/svg+xml"],
  ["c.svg", `<!DOCTYPE svg PUBLIC "x" "y"><svg>${SCRIPT}</svg>`, "image/svg+xml"],
  ["d.jpg", `<x:svg xmlns:x="http://www.w3.org/2000/svg">${SCRIPT}</x:svg>`, "image/svg+xml"],
  ["e.html", `<!doctype html>${SCRIPT}`, "text/html"],
  ["f.png", `\n\t <!-- GIF89a --><html>${SCRIPT}`, "text/html"],
  ["g.jpg", SCRIPT, "text/html"],
  ["h.txt", `<body onload=alert(1)>`, "text/html"],
  ["i.gif", utf16(`<html>${SCRIPT}`), "text/html"],
  ["j.xhtml", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`, "text/html"],
  ["k.xml", `<?xml version="1.0"?><?xml-stylesheet href="javascript:alert(1)"?><a/>`, "application/xml"],
  ["l.pdf", `%PDF-1.4\n${SCRIPT}`, "application/pdf"],
];

/** Types that somebody might claim to have a file shown. */
const CLAIMS = [
  "image/png",
  "image/jpeg",
  "image/svg+xml",
  "text/html",
  "text/plain",
  "application/xhtml+xml",
  "text/xml",
  "application/javascript",
  "video/mp4",
  "audio/mpeg",
  "application/octet-stream",
  "multipart/x-mixed-replace",
  "image/png\r\ncontent-type: text/html",
  "IMAGE/PNG; charset=utf-7",
  "x",
];

describe("S15: uploads with active content", () => {
  let server: Host;
  let current: Setting;
  beforeAll(async () => {
    server = await host((req, res) => nodeHandler(current.api)(req, res));
  });
  afterAll(() => server.close());
  beforeEach(() => {
    current = setting;
  });

  interface Raw {
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly names: readonly string[];
    readonly bytes: Buffer;
  }

  /** What really goes over the wire. */
  function fetched(token: string, method = "GET", headers: Record<string, string> = {}): Promise<Raw> {
    return new Promise((resolve, reject) => {
      const { port } = server;
      const path = `/v1/downloads/${token}`;
      httpRequest(
        { host: "127.0.0.1", port, path, method, headers: { connection: "close", ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk) => chunks.push(chunk));
          response.on("end", () => {
            const names = response.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
            resolve({ status: response.statusCode!, headers: response.headers, names, bytes: Buffer.concat(chunks) });
          });
          response.on("error", reject);
        },
      )
        .on("error", reject)
        .end();
    });
  }

  const policy = ({ headers }: Raw) => [
    headers["x-content-type-options"],
    String(headers["content-security-policy"]).split(/;\s*/).sort(),
  ];
  const HARMLESS = ["nosniff", ["default-src 'none'", "sandbox"]];

  test.each(ACTIVE)(
    "S15: %s is downloaded and never displayed, whatever type is declared",
    async (name, content, type) => {
      const files = CLAIMS.map((contentType) => ({
        name,
        contentType,
        base64: Buffer.from(content as string).toString("base64"),
      }));
      await changed(setting, space, [{ operation: "insert_files", files }]);
      const { items } = (await setting.ask("read", `GET /v1/spaces/${space}/content/files`)).body;
      expect(items).toHaveLength(CLAIMS.length);
      for (const file of items) {
        const sent = await fetched(tokenOf(file));
        expect([sent.status, file.contentType, sent.headers["content-type"]]).toEqual([200, type, type]);
        expect(sent.headers["content-disposition"]).toMatch(/^attachment;/);
        expect(policy(sent)).toEqual(HARMLESS);
        expect(sent.bytes.equals(Buffer.from(content as string))).toBe(true);
      }
    },
  );

  test("S15: scripts and styles are downloaded and never displayed", async () => {
    const files = [
      ["a.js", "text/javascript", "alert(1)"],
      ["a.mjs", "application/javascript", "export default 1"],
      ["a.css", "text/css", "body { background: url(javascript:alert(1)) }"],
      ["a.json", "application/json", '{"a":"<script>"}'],
      ["a.png", "image/png", "alert(1)"],
      ["a.png", "image/png", ""],
      ["a.htc", "text/x-component", "<PUBLIC:COMPONENT>"],
      ["a.swf", "application/x-shockwave-flash", "FWS\x09"],
      ["a.mht", "multipart/related", `From: x\nContent-Type: text/html\n\n${SCRIPT}`],
      ["a.webmanifest", "application/manifest+json", "{}"],
      ["a.vtt", "text/vtt", "WEBVTT"],
      ["a.ps", "application/postscript", "%!PS"],
    ] as const;
    for (const [name, contentType, content] of files) {
      const sent = await fetched(tokenOf(await newFile(setting, space, { name, contentType, content })));
      expect([sent.status, ...policy(sent)], name).toEqual([200, ...HARMLESS]);
      expect(sent.headers["content-disposition"], name).toMatch(/^attachment;/);
      expect(sent.headers["content-type"], name).not.toMatch(/^(image|video|audio)\//);
    }
  });

  test("S15: an image is displayed as that image even with an HTML page after it", async () => {
    const pictures: [content: Buffer, type: string][] = [
      [PNG, "image/png"],
      [Buffer.concat([PNG, Buffer.from(SCRIPT)]), "image/png"],
      [Buffer.from(`GIF89a/*${SCRIPT}*/=1;alert(1)`), "image/gif"],
      [
        Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(`\0\x10JFIF\0<!--${SCRIPT}-->`)]),
        "image/jpeg",
      ],
      [Buffer.from(`RIFF\x20\0\0\0WEBPVP8 ${SCRIPT}`), "image/webp"],
    ];
    for (const [content, type] of pictures) {
      for (const contentType of ["text/html", "image/svg+xml", type]) {
        const file = await newFile(setting, space, { name: "x.html", contentType, content });
        const sent = await fetched(tokenOf(file));
        expect([file.contentType, sent.headers["content-type"], ...policy(sent)]).toEqual([type, type, ...HARMLESS]);
        expect(sent.headers["content-disposition"]).toMatch(/^inline;/);
      }
    }
  });

  test("S15: no name breaks a header", async () => {
    const names = [
      'a".html"; filename="evil.html',
      "a\r\nSet-Cookie: x=1\r\n\r\n<script>.txt",
      "a\nX: y.txt",
      "a\u2028b\u0085c.txt",
      'a\\".txt',
      "a; filename*=UTF-8''evil.html",
      "a%22%0d%0aX: y.txt",
      "\u202egnp.exe",
      "\u2066a\u2069.txt",
      "日本語 ünï.txt",
      "😀".repeat(100),
      "\ud800.txt",
      "a\0b.txt",
      "'();*&.txt",
      "ａ．ｈｔｍｌ",
      " .txt",
      "a\u0000\r\n\t",
    ];
    const before = (await fetched(tokenOf(await newFile(setting, space, { name: "a.txt", content: "x" })))).names;
    for (const name of names) {
      const sent = await fetched(tokenOf(await newFile(setting, space, { name, content: "x" })));
      const disposition = sent.headers["content-disposition"]!;
      expect([sent.status, sent.names, sent.bytes.toString()], name).toEqual([200, before, "x"]);
      const [, ascii, full] = /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([\w.!#$&+^`|~%-]*)$/.exec(
        disposition,
      ) ?? [undefined, '"', "%"];
      expect(ascii, disposition).toMatch(/^[^"\\/%]+$/);
      expect(decodeURIComponent(full!), disposition).toMatch(/^[^\p{Cc}\p{Bidi_Control}\u2028\u2029/\\]+$/u);
    }
  });

  test("HEAD sends the same headers without a body, for small and streamed files", async () => {
    for (const content of ["small", "large ".repeat(20_000)]) {
      const token = tokenOf(await newFile(setting, space, { name: "a.txt", content }));
      const [whole, head] = [await fetched(token), await fetched(token, "HEAD")];
      const ignoringDate = ({ headers: { date: _, "x-request-id": __, ...rest } }: Raw) => rest;
      expect([head.status, head.bytes.length, ignoringDate(head)]).toEqual([200, 0, ignoringDate(whole)]);
      expect([whole.bytes.toString() === content, whole.headers["content-length"]]).toEqual([
        true,
        `${content.length}`,
      ]);
      expect((await fetched(`${token}x`, "HEAD")).status).toBe(404);
    }
  });

  test("a range of a file is as safe as the whole, and neither ranges nor ETags reach beyond it", async () => {
    const content = SCRIPT.repeat(2_000);
    const token = tokenOf(await newFile(setting, space, { name: "a.html", content }));
    const whole = await fetched(token);
    const own = ["date", "x-request-id", "content-length", "content-range"];
    const safety = ({ headers }: Raw) => Object.entries(headers).filter(([name]) => !own.includes(name));
    for (const [range, start, end] of [
      ["bytes=0-1", 0, 2],
      ["bytes=-1", content.length - 1, content.length],
      ["bytes=7-999999999999", 7, content.length],
    ] as const) {
      const part = await fetched(token, "GET", { range });
      expect([part.status, safety(part)]).toEqual([206, safety(whole)]);
      expect(part.bytes.toString()).toBe(content.slice(start, end));
    }
    expect((await fetched(token, "GET", { range: "bytes=99999999-" })).status).toBe(416);
    for (const range of ["bytes=0-0,1-1,2-2", "x".repeat(5_000)])
      expect((await fetched(token, "GET", { range })).bytes.length).toBe(content.length);
    // A forged URL has no tag, no range and no size.
    for (const headers of [{ range: "bytes=0-1" }, { range: "bytes=99999999-" }, { "if-none-match": "*" }] as const)
      expect((await fetched(`${token}x`, "GET", { ...headers })).status).toBe(404);
  });

  test("request headers change nothing in the response", async () => {
    const token = tokenOf(await newFile(setting, space, { name: "a.html", content: SCRIPT }));
    const plain = await fetched(token);
    const headers = { accept: "text/html", "accept-language": "de", "if-none-match": '"other"' };
    for (const query of ["", "?type=image/png", "?name=x.png&disposition=inline", "?response-content-type=text/html"]) {
      const sent = await fetched(token + query, "GET", headers);
      expect([sent.status, sent.headers["content-type"], sent.headers["content-disposition"]]).toEqual([
        200,
        plain.headers["content-type"],
        plain.headers["content-disposition"],
      ]);
    }
  });
});
