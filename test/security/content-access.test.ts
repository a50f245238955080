// Content and the right to it: ids in a batch of changes, what is left when access is gone, and what errors say.

import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { DAY, dump, HOUR, type Setting, setUp } from "../support/setting";
import { type Change, change, changed, issueIn, newFile, newHiddenSpace, newPage, newSpace, page } from "./contents";

let setting: Setting;
let space: string;

beforeEach(async () => {
  setting = await setUp(memoryStorage());
  space = await newSpace(setting);
});

describe("S19: a batch with two ids of which only one is authorized", () => {
  test("S19: pages, files, revisions and reusable content of another space are not found, and nothing changes", async () => {
    const own = await newPage(setting, space, "Own", "Own.\n");
    for (const as of ["create", "rival"] as const) {
      const other = await newSpace(setting, {}, as);
      const made = await changed(
        setting,
        other,
        [
          page("Theirs", "SECRET of theirs\n"),
          { operation: "insert_reusable_content", title: "Theirs", document: { markdown: "SECRET" } },
        ],
        as,
      );
      const [theirs, reusableContent] = [made.changes[0].page.id, made.changes[1].reusableContent];
      const file = (await newFile(setting, other, { name: "a.txt", content: "SECRET" }, as)).id;
      const batches: Record<string, Change> = {
        "0.page": { operation: "update_page", page: theirs, title: "Mine" },
        "0.page ": { operation: "update_page", page: theirs, document: { markdown: "Mine" } },
        "0.page  ": { operation: "move_page", page: theirs, into: own },
        "0.page   ": { operation: "delete_page", page: theirs },
        "0.page    ": { operation: "revert_page", page: theirs },
        "0.revision": { operation: "revert_page", page: own, revision: made.revision },
        "0.into": page("Mine", "", { into: theirs }),
        "0.into ": { operation: "move_page", page: own, into: theirs },
        "0.into  ": { operation: "update_page", page: own, into: theirs },
        "0.into   ": { operation: "insert_link", title: "A", target: { kind: "page", page: own }, into: theirs },
        "0.target": { operation: "insert_link", title: "A", target: { kind: "page", page: theirs } },
        "0.target ": { operation: "insert_link", title: "A", target: { kind: "file", file } },
        "0.target  ": { operation: "insert_link", title: "A", target: { kind: "reusable-content", reusableContent } },
        "0.target   ": { operation: "insert_link", title: "A", target: { kind: "anchor", anchor: "a", page: theirs } },
        "0.cover.ref": { operation: "update_page", page: own, cover: { ref: { kind: "file", file } } },
        "0.files.0": { operation: "delete_files", files: [file] },
        "0.reusableContent": { operation: "update_reusable_content", reusableContent, title: "Mine" },
        "0.reusableContent ": { operation: "delete_reusable_content", reusableContent },
      };
      const before = await dump(setting.storage);
      for (const [at, refused] of Object.entries(batches)) {
        const answer = await change(setting, space, [refused]);
        expect(issueIn(answer), JSON.stringify(refused)).toMatchObject({
          status: 400,
          path: `body.changes.${at.trim()}`,
        });
        expect(JSON.stringify(answer.body)).not.toMatch(/SECRET|Theirs/);
      }
      expect(await dump(setting.storage)).toEqual(before);
      for (const path of [
        `content/page/${theirs}`,
        `content/files/${file}`,
        `content/reusable-contents/${reusableContent}`,
        `revisions/${made.revision}`,
        `revisions/${made.revision}/page/${theirs}`,
      ])
        expect((await setting.ask("edit", `GET /v1/spaces/${space}/${path}`)).status, path).toBe(404);
    }
  });

  test("S19: ids of one kind do not match another kind", async () => {
    const made = await changed(setting, space, [
      page("A"),
      { operation: "insert_reusable_content", title: "B", document: {} },
      { operation: "insert_group", title: "C" },
    ]);
    const ids = [made.changes[0].page.id, made.changes[1].reusableContent, made.revision, space, setting.ids.edit];
    const file = (await newFile(setting, space, { name: "a.txt", content: "a" })).id;
    const refused = (changes: Change[]) => change(setting, space, changes).then(({ status }) => status);
    for (const id of [...ids.slice(1), file])
      expect(await refused([{ operation: "delete_page", page: id }]), id).toBe(400);
    for (const id of ids) expect(await refused([{ operation: "delete_files", files: [id] }]), id).toBe(400);
    for (const id of [ids[0], ...ids.slice(2), file])
      expect(await refused([{ operation: "delete_reusable_content", reusableContent: id }]), id).toBe(400);
    for (const id of [ids[0], ids[1], space, file])
      expect(await refused([{ operation: "revert_page", page: ids[0], revision: id }]), id).toBe(400);
  });

  test("S19: a batch with one invalid change applies none of the valid ones", async () => {
    const own = await newPage(setting, space, "Own", "Own.\n");
    const before = await dump(setting.storage);
    const answer = await change(setting, space, [
      page("New", "x".repeat(50_000)),
      { operation: "insert_files", files: [{ name: "a", contentType: "a/b", base64: "QUFB".repeat(20_000) }] },
      { operation: "update_page", page: own, title: "Changed" },
      { operation: "set_variables", variables: { a: "b" } },
      { operation: "delete_page", page: own },
      { operation: "delete_page", page: own },
    ]);
    expect(issueIn(answer)).toMatchObject({ status: 400, path: "body.changes.5.page" });
    expect(await dump(setting.storage)).toEqual(before);
  });

  test("S19: a template, a copy and a search are authorized where they read from", async () => {
    const hidden = await newHiddenSpace(setting);
    for (const person of ["guest", "read", "edit", "create", "rival"] as const)
      expect((await setting.ask(person, `POST /v1/spaces/${hidden}/duplicate`)).status, person).toBe(404);
    for (const person of ["read", "comment"] as const)
      expect((await setting.ask(person, `POST /v1/spaces/${space}/content/template`, { id: "blank" })).status).toBe(
        403,
      );
    expect((await setting.ask("rival", `POST /v1/spaces/${space}/content/template`, { id: "blank" })).status).toBe(404);
  });
});

describe("S32: access after the permission was revoked", () => {
  /** Reads of everything, with the tags that they came with. */
  async function everything(id: string) {
    const { revision } = (await setting.ask("edit", `GET /v1/spaces/${space}`)).body;
    const paths = [
      "content",
      "content/pages",
      `content/page/${id}`,
      `content/page/${id}?format=document`,
      "content/path/page",
      "content/files",
      "links",
      "search?query=quokka",
      "revisions",
      `revisions/${revision}`,
      `revisions/${revision}/pages`,
      `revisions/${revision}/changes`,
      `revisions/${revision}/page/${id}`,
    ].map((path) => `/v1/spaces/${space}/${path}`);
    const found: [path: string, tag: string | null][] = [];
    for (const path of paths) {
      const answer = await setting.ask("edit", `GET ${path}`);
      expect(answer.status, path).toBe(200);
      found.push([path, answer.headers.get("etag")]);
    }
    return found;
  }

  const leaving: [how: string, leave: () => Promise<unknown>][] = [
    [
      "has left the organization",
      () => setting.ask("admin", `DELETE /v1/orgs/${setting.org}/members/${setting.ids.edit}`),
    ],
    [
      "has become a guest",
      () => setting.ask("admin", `PATCH /v1/orgs/${setting.org}/members/${setting.ids.edit}`, { role: null }),
    ],
    ["is kept out of the space", () => setting.ask("admin", `PATCH /v1/spaces/${space}`, { defaultLevel: null })],
    ["sees the space in the trash", () => setting.ask("admin", `DELETE /v1/spaces/${space}`)],
  ];

  test.each(leaving)("S32: a person who %s reads nothing and learns of no change", async (_, leave) => {
    const id = await newPage(setting, space, "Page", "The quokka.\n");
    const key = { "idempotency-key": "mine" };
    await change(setting, space, [page("Once")], "edit", key);
    const file = await newFile(setting, space, { name: "a.txt", content: "a" });
    const reads = await everything(id);
    const cursor = (await setting.ask("edit", `GET /v1/spaces/${space}/revisions?limit=1`)).body.next.page;
    await leave();
    for (const [path, tag] of reads) {
      expect((await setting.ask("edit", `GET ${path}`)).status, path).toBe(404);
      for (const known of [tag, "*", '"rev_x"'])
        if (known)
          expect((await setting.ask("edit", `GET ${path}`, undefined, { "if-none-match": known })).status).toBe(404);
    }
    expect((await setting.ask("edit", `GET /v1/spaces/${space}/revisions?limit=1&page=${cursor}`)).status).toBe(404);
    expect((await change(setting, space, [page("Once")], "edit", key)).status).toBe(404);
    for (const match of ["*", '"rev_x"'])
      expect((await change(setting, space, [page("A")], "edit", { "if-match": match })).status).toBe(404);
    const search = await setting.ask("edit", `GET /v1/orgs/${setting.org}/search?query=quokka`);
    expect(search.status === 404 || search.body.count === 0).toBe(true);
    expect((await setting.ask("edit", `GET /v1/spaces/${space}/content/files/${file.id}`)).status).toBe(404);
  });

  test("S32: a download URL works for the rest of its hour, and no longer than the permission", async () => {
    const { id } = await newFile(setting, space, { name: "a.txt", content: "a" });
    const urlFor = async (person: "edit" | "read") => {
      const { downloadURL } = (await setting.ask(person, `GET /v1/spaces/${space}/content/files/${id}`)).body;
      return `GET ${downloadURL.replace("http://localhost:3000", "")}`;
    };
    const [theirs, another] = [await urlFor("edit"), await urlFor("read")];
    expect((await setting.ask(null, theirs)).status).toBe(200);
    await setting.ask("admin", `DELETE /v1/orgs/${setting.org}/members/${setting.ids.edit}`);
    expect((await setting.ask(null, theirs)).status).toBe(404);
    expect((await setting.ask("admin", theirs)).status).toBe(404);
    expect((await setting.ask(null, another)).status).toBe(200);
    setting.clock.forward(2 * HOUR);
    expect((await setting.ask(null, another)).status).toBe(404);
  });

  test("S32: a revoked or restricted token stops working, even for cached responses", async () => {
    const id = await newPage(setting, space, "Page", "Text.\n");
    const made = (await setting.ask("edit", "POST /v1/user/tokens", { label: "x" })).body;
    const narrow = (await setting.ask("edit", "POST /v1/user/tokens", { label: "y", scopes: ["tokens:read"] })).body;
    const path = `GET /v1/spaces/${space}/content/page/${id}`;
    const by = (token: string) => setting.ask(null, path, undefined, { authorization: `Bearer ${token}` });
    expect([(await by(made.token)).status, (await by(made.token)).status]).toEqual([200, 200]);
    expect((await by(narrow.token)).body.error.reason).toBe("scope_missing");
    await setting.ask("edit", `DELETE /v1/user/tokens/${made.id}`);
    expect((await by(made.token)).status).toBe(401);
  });

  test("S32: a purged space leaves no content, index or text in its storage", async () => {
    await newPage(setting, space, "Page", `The quokka sleeps. ${"x".repeat(40_000)}\n`);
    await newFile(setting, space, { name: "quokka.bin", content: "QUOKKABYTES" });
    await setting.ask("create", `DELETE /v1/spaces/${space}`);
    for (let n = 0; n < 6; n++) {
      setting.clock.forward(30 * DAY);
      await setting.api.maintain();
    }
    const left = JSON.stringify([...(await dump(setting.storage))]);
    const blobs: unknown[] = [];
    for await (const blob of setting.storage.blobs.list()) blobs.push(blob);
    expect(blobs).toEqual([]);
    expect(left).not.toMatch(/quokka/i);
    expect(left).not.toContain(Buffer.from("QUOKKABYTES").toString("base64"));
  });
});

describe("S31: errors that echo input", () => {
  test("S31: no error repeats a text, title, variable or name of content or of the request", async () => {
    const hidden = await newHiddenSpace(setting);
    const secret = "XYZZY";
    const own = await newPage(setting, space, secret, `## ${secret}\n\n${secret} [${secret}](${secret}.md)\n`);
    await newPage(setting, hidden, secret, secret, "admin");
    await changed(setting, space, [{ operation: "set_variables", variables: { XYZZY: secret } }]);
    await newFile(setting, space, { name: `${secret}.txt`, content: secret });
    const refused: Change[] = [
      { operation: "move_page", page: own, into: own },
      { operation: "update_page", page: own, slug: "../x" },
      { operation: "update_page", page: own, condition: "((" },
      { operation: "update_page", page: own, document: { document: { object: "document", data: {}, nodes: [1] } } },
      { operation: "revert_page", page: own, revision: "rev_x" },
      { operation: "revert_page", page: own, block: ["a b"] },
      { operation: "insert_link", title: "A", target: { kind: "page", page: "pag_x" } },
      { operation: "update_page", page: own, variables: { a: "b".repeat(300) } },
      {
        operation: "update_page",
        page: own,
        variables: Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`v${i}`, "b".repeat(250)])),
      },
      { operation: "insert_files", files: [{ name: "a", url: "https://x.test/" }] },
      { operation: "insert_files", files: [{ name: "a", contentType: "a/b", base64: "!" }] },
    ];
    for (const each of refused) {
      const answer = await change(setting, space, [each]);
      expect(answer.status, JSON.stringify(each)).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(503);
      expect(JSON.stringify(answer.body), JSON.stringify(each)).not.toContain(secret);
    }
    for (const path of ["content/page/pag_x", "content/path/none", "content/files/fil_x", "revisions/rev_x", "search"])
      expect(JSON.stringify((await setting.ask("read", `GET /v1/spaces/${space}/${path}`)).body)).not.toContain(secret);
    const stale = await change(setting, space, [page("A")], "edit", { "if-match": '"rev_x"' });
    expect([stale.status, JSON.stringify(stale.body).includes(secret)]).toEqual([412, false]);
  });

  test("S31: invalid input is never echoed", async () => {
    const sent = "PASSWORD-IN-THE-WRONG-PLACE";
    const bodies: unknown[] = [
      { changes: [{ operation: sent }] },
      { changes: [{ operation: "insert_page", document: { markdown: [sent] } }] },
      { changes: [{ operation: "insert_page", document: {}, slug: `${sent} ../` }] },
      { changes: [{ operation: "insert_page", document: {}, condition: `((${sent}` }] },
      { changes: [{ operation: "insert_page", document: {}, emoji: sent.repeat(10) }] },
      { changes: [{ operation: "delete_page", page: sent }] },
      { changes: [{ operation: "insert_files", files: [{ name: "a", contentType: "a/b", base64: `${sent}!` }] }] },
      {
        changes: [
          {
            operation: "insert_page",
            document: { document: { object: "document", data: {}, nodes: [{ object: sent, type: sent }] } },
          },
        ],
      },
      `{"changes": "${sent}`,
    ];
    for (const body of bodies) {
      const answer = await setting.ask("edit", `POST /v1/spaces/${space}/content`, body);
      expect([answer.status, JSON.stringify(answer.body).includes(sent)], JSON.stringify(body)).toEqual([400, false]);
    }
  });
});
