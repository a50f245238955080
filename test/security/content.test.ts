// What links and searches show of content, and to whom. Access, files, names, expressions, documents and hostile texts have
// files of their own beside this one.

import type { SearchEngine } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { type Answer, open as openApi, type Person, type Setting, setUp } from "../support/setting";
import {
  absentLike,
  type Change,
  change,
  changed,
  newFile,
  newHiddenSpace,
  newPage,
  newSpace,
  page,
  read,
  showToGuest,
} from "./contents";

let setting: Setting;
let space: string;

beforeEach(async () => {
  setting = await setUp(memoryStorage());
  space = await newSpace(setting);
  await showToGuest(setting, space);
});

/** Things that a reader of the space may not see, by what hides them: a link, an id, and one of the same form that nothing has. */
async function hiddenThings(): Promise<
  { what: string; href: (id: string) => string; id: string; forGuestOnly?: true }[]
> {
  const { ask, org, otherOrg, ids } = setting;
  const hidden = await newHiddenSpace(setting);
  const secret = await newPage(setting, hidden, "Hidden secret", "The quokka sleeps.\n", "admin");
  const foreign = await newSpace(setting, { title: "Hidden rivals" }, "rival");
  const foreignPage = await newPage(setting, foreign, "Hidden rival", "The quokka wakes.\n", "rival");
  const trashed = await newSpace(setting, { title: "Hidden in the trash" });
  const trashedPage = await newPage(setting, trashed, "Hidden trash", "The quokka is gone.\n");
  await ask("create", `DELETE /v1/spaces/${trashed}`);
  const collection = (await ask("create", `POST /v1/orgs/${org}/collections`, { title: "Hidden shelf" })).body.id;
  await ask("create", `PATCH /v1/collections/${collection}`, { defaultLevel: null });
  const foreignCollection = (await ask("rival", `POST /v1/orgs/${otherOrg}/collections`, { title: "Hidden" })).body.id;
  const ofSpace = (id: string) => `/spaces/${id}`;
  const ofPage = (at: string) => (id: string) => `/spaces/${at}/pages/${id}`;
  const ofCollection = (id: string) => `/collections/${id}`;
  const ofUser = (id: string) => `/users/${id}`;
  return [
    { what: "a private space", href: ofSpace, id: hidden },
    { what: "a page of a private space", href: ofPage(hidden), id: secret },
    { what: "another organization's space", href: ofSpace, id: foreign },
    { what: "a page of another organization's", href: ofPage(foreign), id: foreignPage },
    { what: "a space in the trash", href: ofSpace, id: trashed },
    { what: "a page of a space in the trash", href: ofPage(trashed), id: trashedPage },
    { what: "a private collection", href: ofCollection, id: collection },
    { what: "another organization's collection", href: ofCollection, id: foreignCollection },
    { what: "a user of another organization", href: ofUser, id: ids.rival },
    { what: "a user in none", href: ofUser, id: ids.stranger },
    { what: "a member, to a guest", href: ofUser, id: ids.admin, forGuestOnly: true },
  ];
}

/** What an answer says when the thing that it was asked about is called "it", and what follows from the id's letters is left out. */
function told({ status, body }: Answer, id = "it"): unknown {
  const text = JSON.stringify(body).replaceAll(id, "it");
  const varying = /"(requestId|documentId|node|revision)":"[^"]*"/g;
  return [status, JSON.parse(text.replaceAll(varying, '"$1":""'))];
}

describe("S21: links to hidden resources", () => {
  test("S21: a link to a hidden resource looks exactly like a link to a missing one", async () => {
    const at = await newPage(setting, space, "Links");
    for (const { what, href, id, forGuestOnly } of await hiddenThings()) {
      const linkTo = (target: string) =>
        changed(setting, space, [
          { operation: "update_page", page: at, document: { markdown: `[a](${href(target)}) text\n` } },
        ]);
      for (const person of ["guest", "read", "edit"] as const) {
        if (forGuestOnly && person !== "guest") continue;
        const look = () => setting.ask(person, `GET /v1/spaces/${space}/content/page/${at}/links`);
        await linkTo(id);
        const hidden = await look();
        await linkTo(absentLike(id));
        const gone = await look();
        expect(hidden.body.items, what).toMatchObject([
          { status: "broken", targetReference: { kind: "url", url: href(id) } },
        ]);
        expect(JSON.stringify(hidden.body), what).not.toMatch(/Hidden|The admin|The rival/);
        expect(told(hidden, id), what).toEqual(told(gone, absentLike(id)));
      }
    }
  });

  test("S21: in the list of a whole space, hidden resources have no title, path or count", async () => {
    const things = (await hiddenThings()).filter(({ forGuestOnly }) => !forGuestOnly);
    const text = things.map(({ href, id }) => `[a](${href(id)})`).join("\n\n");
    const same = things.map(({ href, id }) => `[a](${href(absentLike(id))})`).join("\n\n");
    await newPage(setting, space, "Links", text);
    const other = await newSpace(setting);
    await showToGuest(setting, other);
    await newPage(setting, other, "Links", same);
    for (const person of ["guest", "read", "edit"] as const) {
      const { body } = await setting.ask(person, `GET /v1/spaces/${space}/links`);
      const { body: gone } = await setting.ask(person, `GET /v1/spaces/${other}/links`);
      expect([body.count, body.stats]).toEqual([gone.count, gone.stats]);
      expect(body.stats).toEqual({ total: things.length, broken: { total: things.length, changeRequest: 0 } });
      expect(JSON.stringify(body)).not.toMatch(/Hidden|The rival|The stranger/);
    }
    const { body } = await setting.ask("admin", `GET /v1/spaces/${space}/links`);
    expect(body.stats.broken.total).toBe(things.length - 3);
  });

  test("S21: an application address is recognized by its form alone", async () => {
    const hidden = await newHiddenSpace(setting);
    const url = (id: string) => `http://localhost:3000/o/${setting.org}/s/${id}`;
    const statuses = [];
    for (const id of [hidden, absentLike(hidden)]) {
      const at = await newPage(setting, space, "Links", `[a](${url(id)})\n`);
      const { items } = (await setting.ask("read", `GET /v1/spaces/${space}/content/page/${at}/links`)).body;
      statuses.push([items[0].status, items[0].targetReference.kind]);
    }
    expect(statuses).toEqual([
      ["in-app", "url"],
      ["in-app", "url"],
    ]);
  });

  test("S21: an unknown id of any length is broken in the same way", async () => {
    const hrefs = [5, 64, 300, 2_000].flatMap((n) =>
      ["spaces", "users", "collections"].map((it) => `/${it}/${"x".repeat(n)}`),
    );
    const at = await newPage(setting, space, "Links", hrefs.map((href) => `[a](${href})`).join("\n\n"));
    const { body } = await setting.ask("read", `GET /v1/spaces/${space}/content/page/${at}/links`);
    expect(body.stats).toEqual({ total: hrefs.length, broken: { total: hrefs.length, changeRequest: 0 } });
  });

  test("S21: a link to a hidden resource is as broken in the document as one to nothing", async () => {
    for (const { what, href, id } of await hiddenThings()) {
      const documents = [];
      for (const target of [id, absentLike(id)]) {
        const at = await newPage(
          setting,
          space,
          "Links",
          `[a](${href(target)})\n\n{% content-ref url="${href(target)}" %}\n{% endcontent-ref %}\n`,
        );
        for (const query of ["?format=document", "?format=document&evaluated=true"])
          documents.push(
            JSON.stringify((await read(setting, space, at, query, "read")).body.document.nodes)
              .replaceAll(target, "it")
              .replaceAll(/"key":"[^"]*"/g, ""),
          );
      }
      expect(new Set(documents).size, what).toBe(1);
    }
  });

  test("S21: a link page or a cover cannot point to a hidden resource or reveal its existence", async () => {
    const refs = (id: string, at: string): Record<string, object> => ({
      "a private space": { kind: "space", space: id },
      "a page": { kind: "page", page: id, space: at },
      "an anchor": { kind: "anchor", anchor: "x", page: id, space: at },
      "a reusable content": { kind: "reusable-content", reusableContent: id, space: at },
      "a collection": { kind: "collection", collection: id },
      "a user": { kind: "user", user: id },
    });
    for (const { what, id } of await hiddenThings()) {
      if (what === "a member, to a guest") continue;
      for (const [kind, ref] of Object.entries(refs(id, space))) {
        const absent = JSON.parse(JSON.stringify(ref).replaceAll(id, absentLike(id)));
        const tries = (target: unknown): Change[] => [
          { operation: "insert_link", title: "A", target },
          page("A", "", { cover: { ref: target } }),
          page("A", "", { cover: { ref: { kind: "url", url: "https://x.test/" }, refDark: target } }),
        ];
        for (const i of [0, 1, 2]) {
          const hidden = await change(setting, space, [tries(ref)[i]!]);
          const gone = await change(setting, space, [tries(absent)[i]!]);
          expect(hidden.status, `${what} as ${kind}`).toBe(400);
          expect(told(hidden, id), `${what} as ${kind}`).toEqual(told(gone, absentLike(id)));
        }
      }
    }
    expect((await setting.ask("read", `GET /v1/spaces/${space}/content`)).body.pages).toEqual([]);
  });

  test("S21: backlinks list only their own space", async () => {
    const target = await newPage(setting, space, "Target");
    const { id: file } = await newFile(setting, space, { name: "a.txt", content: "a" });
    const hidden = await newHiddenSpace(setting);
    const text = `[a](/spaces/${space}/pages/${target}) [b](/spaces/${space}) [c](/pages/${target}) ![d](/files/${file})\n`;
    await newPage(setting, hidden, "Hidden", text, "admin");
    for (const person of ["guest", "read", "admin"] as const) {
      for (const path of [`page/${target}`, `files/${file}`]) {
        const { body } = await setting.ask(person, `GET /v1/spaces/${space}/content/${path}/backlinks`);
        expect([body.count, body.items]).toEqual([0, []]);
      }
    }
  });

  test("S21: a visible link shows no more than the caller may see of its target", async () => {
    const other = await newSpace(setting, { title: "Other" });
    const there = await newPage(setting, other, "There");
    await newPage(setting, space, "Links", `[a](/spaces/${other}/pages/${there}) [b](/users/${setting.ids.admin})\n`);
    const seenBy = async (person: Person) =>
      (await setting.ask(person, `GET /v1/spaces/${space}/links`)).body.items
        .map((it: { status: string }) => it.status)
        .sort();
    expect(await seenBy("read")).toEqual(["ok", "ok"]);
    expect(await seenBy("guest")).toEqual(["broken", "broken"]);
    const { body } = await setting.ask("read", `GET /v1/spaces/${space}/links`);
    const page = body.items.find((it: { targetReference: { kind: string } }) => it.targetReference.kind === "page");
    expect(page.targetReference.space.permissions).toMatchObject({ view: true, edit: false, admin: false });
    expect(page.targetReference.organization.permissions).toMatchObject({ admin: false });
  });
});

describe("S22: search results of hidden content", () => {
  test("S22: no hidden pages, titles or counts are found", async () => {
    await hiddenThings();
    await newPage(setting, space, "Open", "The quokka eats.\n");
    for (const person of ["guest", "read", "comment", "edit"] as const) {
      for (const query of ["quokka", "hidden", "Hidden+secret", "sleeps", "wakes", "gone", "The"]) {
        const { status, body } = await setting.ask(person, `GET /v1/orgs/${setting.org}/search?query=${query}`);
        expect(status).toBe(200);
        const ids = body.items.map((it: { id: string }) => it.id);
        expect([body.count, ids], `${person} ${query}`).toEqual(
          ["quokka", "The"].includes(query) ? [1, [space]] : [0, []],
        );
        expect(JSON.stringify(body)).not.toMatch(/hidden|sleeps|wakes|gone/i);
      }
    }
    expect((await setting.ask("admin", `GET /v1/orgs/${setting.org}/search?query=quokka`)).body.count).toBe(2);
  });

  test("S22: closed spaces and organizations cannot be searched and respond like missing ones", async () => {
    const things = await hiddenThings();
    const hidden = things[0]!.id;
    const asked: [Person, string, string][] = [
      ["read", `/v1/spaces/${hidden}/search?query=quokka`, hidden],
      ["guest", `/v1/spaces/${hidden}/search?query=quokka`, hidden],
      ["read", `/v1/spaces/${things[2]!.id}/search?query=quokka`, things[2]!.id],
      ["read", `/v1/spaces/${things[4]!.id}/search?query=quokka`, things[4]!.id],
      ["stranger", `/v1/spaces/${space}/search?query=quokka`, space],
      ["rival", `/v1/orgs/${setting.org}/search?query=quokka`, setting.org],
    ];
    for (const [person, path, id] of asked) {
      const found = await setting.ask(person, `GET ${path}`);
      const gone = await setting.ask(person, `GET ${path.replace(id, absentLike(id))}`);
      expect(found.status, path).toBe(404);
      expect(told(found, id)).toEqual(told(gone, absentLike(id)));
    }
  });

  test("S22: the ranking reveals nothing about hidden pages", async () => {
    await newPage(setting, space, "Open", "The quokka eats.\n");
    const before = (await setting.ask("read", `GET /v1/orgs/${setting.org}/search?query=quokka&limit=1`)).body;
    for (let n = 0; n < 3; n++) {
      const hidden = await newHiddenSpace(setting);
      await newPage(setting, hidden, "Quokka quokka", "quokka ".repeat(50), "admin");
    }
    const after = (await setting.ask("read", `GET /v1/orgs/${setting.org}/search?query=quokka&limit=1`)).body;
    expect(after).toEqual(before);
    expect(after.next).toBeUndefined();
  });

  test("S22: hits of the host's search engine in other spaces are dropped", async () => {
    const hidden = await newHiddenSpace(setting);
    const secret = await newPage(setting, hidden, "Hidden secret", "The quokka sleeps.\n", "admin");
    const open = await newPage(setting, space, "Open", "The quokka eats.\n");
    const engine: SearchEngine = {
      update: async () => {},
      search: async () => ({ total: 2, hits: [secret, open, "__proto__"].map((id) => ({ id, score: 1 })) }),
    };
    const { askWith } = openApi(setting.storage, { search: engine });
    for (const path of [`/v1/spaces/${space}/search?query=quokka`, `/v1/orgs/${setting.org}/search?query=quokka`]) {
      const { status, body } = await askWith(setting.tokens.read, `GET ${path}`);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain(open);
      expect(JSON.stringify(body)).not.toMatch(/sleeps|Hidden/);
      expect(JSON.stringify(body)).not.toContain(secret);
    }
  });

  test("S22: former texts, deleted pages and other people's drafts are not found", async () => {
    const id = await newPage(setting, space, "Page", "The numbat was here.\n");
    await setting.ask("read", `GET /v1/spaces/${space}/search?query=numbat`);
    await changed(setting, space, [{ operation: "update_page", page: id, document: { markdown: "Nothing." } }]);
    const find = async (query: string) =>
      (await setting.ask("read", `GET /v1/spaces/${space}/search?query=${query}`)).body.count;
    expect([await find("numbat"), await find("nothing")]).toEqual([0, 1]);
    await changed(setting, space, [{ operation: "delete_page", page: id }]);
    expect(await find("nothing")).toBe(0);
    for (const secret of [setting.tokens.read, setting.ids.edit, "edit@example.com", "rev_", "pag_"])
      expect(await find(secret), secret).toBe(0);
  });

  test("S22: every read of a closed space is the same 404", async () => {
    const hidden = await newHiddenSpace(setting);
    const id = await newPage(setting, hidden, "Secret", "## A\n", "admin");
    const file = await newFile(setting, hidden, { name: "a.txt", content: "a" }, "admin");
    const { revision } = (await setting.ask("admin", `GET /v1/spaces/${hidden}`)).body;
    const paths = [
      "content",
      "content/pages",
      `content/page/${id}`,
      "content/path/secret",
      "content/files",
      `content/files/${file.id}`,
      "content/reusable-contents/reu_x",
      `content/page/${id}/links`,
      `content/page/${id}/backlinks`,
      `content/files/${file.id}/backlinks`,
      "links",
      "search?query=a",
      "revisions",
      `revisions/${revision}`,
      `revisions/${revision}/pages`,
      `revisions/${revision}/files`,
      `revisions/${revision}/changes`,
      `revisions/${revision}/page/${id}`,
      `revisions/${revision}/path/secret`,
      `revisions/${revision}/reusable-contents/reu_x`,
      "revisions/rev_none",
    ];
    for (const person of ["guest", "read", "edit", "review", "rival", "stranger"] as const) {
      const answers = new Set<string>();
      for (const path of paths)
        for (const at of [hidden, absentLike(hidden)])
          answers.add(JSON.stringify(told(await setting.ask(person, `GET /v1/spaces/${at}/${path}`))));
      expect([...answers], person).toEqual([expect.stringContaining('"reason":"space_not_found"')]);
    }
  });
});
