// Content as PDF: nothing is fetched, nothing runs, and nobody reads what is not theirs.

import { describe, expect, test, vi } from "vitest";
import { readPdf } from "../pdf/reader";
import { bytesAt, PIXEL, pdfUrl, printed, stage } from "../resources/content/printed";
import { base64, changed, newHiddenSpace, newPage, newSpace, showToGuest } from "./contents";

describe("S5: requests by the printer", () => {
  test("S5: images come from the content's own files, and no address is requested", async () => {
    const asked: unknown[] = [];
    const recording = async (input: unknown): Promise<Response> => {
      asked.push(input);
      return new Response(PIXEL, { headers: { "content-type": "image/png" } });
    };
    vi.stubGlobal("fetch", recording);
    try {
      const { setting, space } = await stage({ fetch: recording as typeof fetch });
      const files = [{ name: "dot.png", contentType: "image/png", base64: base64(PIXEL) }];
      const made = await changed(setting, space, [{ operation: "insert_files", files }]);
      const own = made.insertedFiles[0].id;
      const addresses = [
        "http://169.254.169.254/latest/meta-data",
        "https://example.com/a.png",
        "//example.com/a.png",
        "file:///etc/passwd",
        "../../../../etc/passwd",
        `data:image/png;base64,${base64(PIXEL)}`,
        "blob:https://example.com/1",
      ];
      const markdown = [
        `![own](/files/${own})`,
        ...addresses.flatMap((url) => [
          `![picture](${url})`,
          `<figure><img src="${url}" alt=""><figcaption></figcaption></figure>`,
          `{% embed url="${url}" %}`,
          `{% file src="${url}" %}`,
        ]),
      ].join("\n\n");
      await newPage(setting, space, "Start", markdown);
      const { sheets } = await printed(setting, `${space}/pdf`);
      expect(sheets.flatMap(({ pictures }) => pictures)).toHaveLength(1);
      expect(asked).toEqual([]);
      // The control: what is recorded would be seen.
      await fetch("https://example.com");
      expect(asked).toHaveLength(1);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe("S19: a request with two ids of which only one is authorized", () => {
  test("S19: a page of another space, organization or change request is not found", async () => {
    const { setting, space } = await stage();
    await newPage(setting, space, "Mine", "Mine.\n");
    const other = await newPage(setting, await newSpace(setting), "Other", "Other.\n");
    const hidden = await newPage(setting, await newHiddenSpace(setting), "Hidden", "Hidden.\n", "admin");
    const foreign = await newPage(setting, await newSpace(setting, {}, "rival"), "Foreign", "Foreign.\n", "rival");
    const { body } = await setting.ask("edit", `POST /v1/spaces/${space}/change-requests`, {});
    for (const id of [other, hidden, foreign])
      for (const route of [`${space}/pdf`, `${space}/change-requests/${body.id}/pdf`])
        for (const only of ["", "&only=true"]) {
          const answer = await setting.ask("edit", `GET /v1/spaces/${route}?page=${id}${only}`);
          expect([answer.status, answer.body.error.reason]).toEqual([404, "page_not_found"]);
        }
  });

  test("S19: a signed URL works only for what it was signed for", async () => {
    const { setting, space } = await stage();
    const mine = await newPage(setting, space, "Mine", "Mine.\n");
    const foreign = await newSpace(setting, {}, "rival");
    await newPage(setting, foreign, "Foreign", "Foreign.\n", "rival");
    const token = (path: string) => path.split("/pdfs/")[1]!;
    const ours = token(await pdfUrl(setting, `${space}/pdf`));
    const theirs = token(await pdfUrl(setting, `${foreign}/pdf`, "rival"));
    const [text, signature] = ours.split(".") as [string, string];
    const claims: unknown[] = JSON.parse(Buffer.from(text, "base64url").toString());
    const others: unknown[] = JSON.parse(Buffer.from(theirs.split(".")[0]!, "base64url").toString());
    const sealed = (changed: unknown) => `${Buffer.from(JSON.stringify(changed)).toString("base64url")}.${signature}`;
    expect(sealed(claims)).toBe(ours);
    const forged = [
      ...others.map((value, at) => claims.with(at, value)).filter((it, at) => it[at] !== claims[at]),
      claims.with(2, mine),
      claims.with(3, true),
      claims.with(4, setting.ids.admin),
      claims.with(5, Number.MAX_SAFE_INTEGER),
      claims.with(5, "soon"),
      claims.slice(0, 5),
      [...claims, 1],
      { length: 6 },
      null,
    ].map(sealed);
    const spellings = [text, `${text}.`, `${ours}.x`, `${text}=.${signature}`, `${theirs.split(".")[0]}.${signature}`];
    for (const each of [...forged, ...spellings, "x", "%00", "__proto__"])
      expect((await setting.ask(null, `GET /v1/pdfs/${each}`)).status, each).toBe(404);
    expect((await setting.ask(null, `GET /v1/pdfs/${ours}`)).status).toBe(200);
  });

  test("S19: a file URL opens no PDF, and a PDF URL opens no file", async () => {
    const { setting, space } = await stage();
    const files = [{ name: "a.txt", contentType: "text/plain", base64: base64("x") }];
    const made = await changed(setting, space, [{ operation: "insert_files", files }]);
    const file = await setting.ask("edit", `GET /v1/spaces/${space}/content/files/${made.insertedFiles[0].id}`);
    const download = file.body.downloadURL.split("/downloads/")[1];
    const pdf = (await pdfUrl(setting, `${space}/pdf`)).split("/pdfs/")[1];
    expect((await setting.ask(null, `GET /v1/pdfs/${download}`)).body.error.reason).toBe("file_not_found");
    expect((await setting.ask(null, `GET /v1/downloads/${pdf}`)).body.error.reason).toBe("file_not_found");
  });

  test("S19: a file of another space is not shown", async () => {
    const { setting, space } = await stage();
    const hidden = await newHiddenSpace(setting);
    const files = [{ name: "secret.png", contentType: "image/png", base64: base64(PIXEL) }];
    const made = await changed(setting, hidden, [{ operation: "insert_files", files }], "admin");
    const id = made.insertedFiles[0].id;
    const ref = { kind: "file", file: id };
    const image = { object: "block", type: "image", isVoid: true, data: { ref } };
    const document = {
      object: "document",
      data: {},
      nodes: [{ object: "block", type: "images", isVoid: false, data: {}, nodes: [image] }],
    };
    await setting.ask("edit", `POST /v1/spaces/${space}/content`, {
      changes: [{ operation: "insert_page", title: "Posted", document: { document } }],
    });
    await newPage(setting, space, "Written", `![](/files/${id}) {% file src="/files/${id}" %}\n`);
    const { sheets, text } = await printed(setting, `${space}/pdf`);
    expect(sheets.flatMap(({ pictures }) => pictures)).toEqual([]);
    expect(text).not.toContain("secret.png");
  });
});

describe("S21: references to hidden resources", () => {
  test("S21: external references are named as the requesting person sees them", async () => {
    const { setting, space } = await stage();
    const hidden = await newHiddenSpace(setting);
    const secret = await newPage(setting, hidden, "Secret merger", "Text.\n", "admin");
    const markdown = [
      `{% content-ref url="/spaces/${hidden}" %}\n[link](/spaces/${hidden})\n{% endcontent-ref %}`,
      `{% content-ref url="/spaces/${hidden}/pages/${secret}" %}\n[link](/spaces/${hidden}/pages/${secret})\n{% endcontent-ref %}`,
      `[here](/spaces/${hidden}/pages/${secret})`,
      "",
    ].join("\n\n");
    await newPage(setting, space, "Start", markdown);
    await showToGuest(setting, space);
    for (const as of ["edit", "guest"] as const) {
      const { text, sheets } = await printed(setting, `${space}/pdf`, as);
      expect(text).not.toMatch(/Secret|Hidden/);
      expect(sheets.flatMap(({ links }) => links.map(({ url }) => url)).filter(Boolean)).toEqual([]);
    }
    const seen = await printed(setting, `${space}/pdf`, "admin");
    expect(seen.text).toContain("Secret merger");
    expect(seen.text).toContain("Hidden plans");
  });
});

test("S18: no link of a PDF leads to an address that runs", async () => {
  const { setting, space } = await stage();
  const bad = ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "file:///etc/passwd", "data:text/html,x", "vbscript:x"];
  await newPage(setting, space, "Start", bad.map((url) => `[a](${url}) ![b](${url}) <${url}>\n\n`).join(""));
  const bytes = await bytesAt(setting, await pdfUrl(setting, `${space}/pdf`));
  const { sheets } = await readPdf(bytes);
  const urls = sheets.flatMap(({ links }) => links.flatMap(({ url }) => (url === undefined ? [] : [url])));
  expect(urls).toEqual([]);
  expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/\/JavaScript|\/JS\b|\/Launch|\/OpenAction/);
});
