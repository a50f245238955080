// What becomes of a site's structure when its spaces or the site itself go, and when two change it at once. A gate holds back
// every commit until both have decided, so each race is the race and not a chance of one.

import type { Storage } from "octavo";
import { describe, expect, test } from "vitest";
import { watch } from "../../invariants/faults";
import { onFreshStorage } from "../../support/fresh-storage";
import { interrupted, meeting, process } from "../../support/processes";
import { type Answer, DAY, dump, HOUR, open, type Person, type Setting, setUp } from "../../support/setting";
import { type Opened, storages } from "../../support/storages";
import { isLongRun } from "../../support/test-length";
import { checkStructure, type Shown } from "./site-shape";

describe.each(storages)("on %s", (storageName, openStorage) => {
  let opened: Opened;
  let setting: Setting;
  let at: string;
  let site: string;

  onFreshStorage(openStorage, async (fresh) => {
    opened = fresh;
    setting = await setUp(opened.storage);
    site = await id("POST", `/v1/orgs/${setting.org}/sites`, { title: "Docs" });
    at = `/v1/orgs/${setting.org}/sites/${site}`;
  });

  async function id(method: string, path: string, send: unknown): Promise<string> {
    const answer = await setting.ask("create", `${method} ${path}`, send);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.id;
  }
  const makeSpace = (title: string) => id("POST", `/v1/orgs/${setting.org}/spaces`, { title });
  const addSection = async (title: string) => {
    const space = await makeSpace(title);
    return { space, section: await id("POST", `${at}/sections`, { spaceId: space }) };
  };
  const addSpace = async (title: string, sectionId?: string) => {
    const space = await makeSpace(title);
    return {
      space,
      item: await id("POST", `${at}/site-spaces`, { spaceId: space, ...(sectionId ? { sectionId } : {}) }),
    };
  };
  /** The structure, checked, as one line. */
  async function shown(of = at): Promise<string> {
    return checkStructure((await setting.ask("admin", `GET ${of}/structure`)).body as Shown);
  }
  /** What is stored of the structures of sites; a count of nothing is nothing. */
  async function itemsLeft(): Promise<string[]> {
    const entries = [...(await dump(opened.storage))].filter(([key]) => /site-(item|edition|customization)/.test(key));
    return entries.filter(([, value]) => value !== "0").map((entry) => entry.join(" "));
  }
  /** Requests at once, each having decided before either commits. */
  async function race(...requests: [route: string, send?: unknown][]): Promise<Answer[]> {
    const { askWith, clock } = open(meeting(opened.storage, requests.length), {
      random: (n) => crypto.getRandomValues(new Uint8Array(n)),
    });
    clock.now = setting.clock.now;
    return Promise.all(requests.map(([route, send]) => askWith(setting.tokens.create, route, send)));
  }
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();
  const beside = (siteSpace: string) => ({ position: { before: { type: "site-space", siteSpace } } });

  test("a purged space is removed from every site with a section that held it alone, and defaults move on", async () => {
    const alpha = await addSection("alpha");
    const beta = await addSection("beta");
    await addSpace("more", beta.section);
    const other = await id("POST", `/v1/orgs/${setting.org}/sites`, {
      title: "Other",
      spaces: [alpha.space, beta.space],
    });
    for (const { space } of [alpha, beta]) await setting.ask("create", `DELETE /v1/spaces/${space}`);
    expect(await shown()).toBe("alpha*(alpha*) beta(beta* more)");
    setting.clock.forward(8 * DAY);
    await setting.api.maintain();
    expect(await shown()).toBe("beta*(more*)");
    expect(await shown(`/v1/orgs/${setting.org}/sites/${other}`)).toBe("");
    expect((await setting.ask("create", `GET ${at}`)).body.siteSpaces).toBe(1);
    expect((await itemsLeft()).filter((entry) => entry.includes(alpha.space))).toEqual([]);
  });

  test("a transferred space is removed from its former sites and can be added to new ones", async () => {
    const door = (await setting.ask("rival", `POST /v1/orgs/${setting.otherOrg}/link-invites`, { role: "create" }))
      .body;
    await setting.ask("create", `POST /v1/orgs/${setting.otherOrg}/invites/${door.id}`);
    const alpha = await addSection("alpha");
    await addSection("beta");
    const to = { organization: setting.otherOrg };
    expect((await setting.ask("create", `POST /v1/spaces/${alpha.space}/transfer`, to)).status).toBe(200);
    await setting.api.maintain();
    expect(await shown()).toBe("beta*(beta*)");
    const refused = await setting.ask("create", `POST ${at}/site-spaces`, { spaceId: alpha.space });
    expect([refused.status, refused.body.error.issues[0].path]).toEqual([400, "body.spaceId"]);
    const theirs = `/v1/orgs/${setting.otherOrg}/sites`;
    expect((await setting.ask("rival", `POST ${theirs}`, { title: "There", spaces: [alpha.space] })).status).toBe(201);
    await setting.ask("create", `POST /v1/spaces/${alpha.space}/transfer`, { organization: setting.org });
    await setting.api.maintain();
    expect((await setting.ask("rival", `GET ${theirs}`)).body.items[0].siteSpaces).toBe(0);
    expect(await id("POST", `${at}/site-spaces`, { spaceId: alpha.space })).toMatch(/^ssp_/);
  });

  test("a purge interrupted anywhere is finished by the next process", async () => {
    const play = async (call?: number) => {
      const fresh = await openStorage();
      const before = setting;
      setting = await setUp(fresh.storage);
      site = await id("POST", `/v1/orgs/${setting.org}/sites`, { title: "Docs" });
      at = `/v1/orgs/${setting.org}/sites/${site}`;
      const alpha = await addSection("alpha");
      const beta = await addSection("beta");
      await addSpace("more", beta.section);
      for (const { space } of [alpha, beta]) await setting.ask("create", `DELETE /v1/spaces/${space}`);
      const watched = watch(fresh.storage);
      const later = new Date(setting.clock.now.getTime() + 8 * DAY);
      const { api } = open(watched, { now: () => later, onError: () => {} });
      if (call !== undefined) watched.failAt(call, "crash");
      await api.maintain().catch(() => {});
      const { total } = watched.calls;
      setting.clock.forward(8 * DAY + 2 * HOUR);
      await setting.api.maintain();
      expect(await shown(), `call ${call}`).toBe("beta*(more*)");
      await fresh.storage.close();
      await fresh.cleanUp();
      setting = before;
      return total;
    };
    const calls = await play();
    expect(calls).toBeGreaterThan(20);
    // Some calls stand for those beside them; a long run stops at every one.
    const stride = isLongRun ? 1 : storageName === "memory" ? 11 : 44;
    for (let call = 1; call <= calls; call += stride) await play(call);
  });

  test("a deleted site leaves nothing of its structure behind", async () => {
    const { section } = await addSection("alpha");
    for (let i = 0; i < 60; i++) await addSpace(`s${i}`, section);
    const beta = await addSection("beta");
    for (let i = 0; i < 20; i++) await addSpace(`t${i}`, beta.section);
    expect((await setting.ask("create", `DELETE ${at}`)).status).toBe(204);
    await setting.api.maintain();
    expect(await itemsLeft()).toEqual([]);
  });

  test("a full section accepts no more and is deleted in one step, and a full root moves into its first section", async () => {
    for (let i = 0; i < 65; i++) await addSpace(`s${i}`);
    const spaceId = await makeSpace("more");
    const full = await setting.ask("create", `POST ${at}/site-spaces`, { spaceId });
    expect([full.status, full.body.error?.reason]).toEqual([409, "too_many_items"]);
    const first = (await setting.ask("create", `GET ${at}/site-spaces?limit=1`)).body.items[0].space.id;
    const section = await id("POST", `${at}/sections`, { spaceId: first, title: "All" });
    const look = { title: "Another" };
    for (const item of (await setting.ask("create", `GET ${at}/site-spaces?limit=100`)).body.items)
      expect((await setting.ask("create", `PATCH ${at}/site-spaces/${item.id}/customization`, look)).status).toBe(200);
    expect((await setting.ask("create", `GET ${at}/sections`)).body.items[0].siteSpaces.length).toBe(65);
    const also = await setting.ask("create", `POST ${at}/site-spaces`, { spaceId, sectionId: section });
    expect([also.status, also.body.error?.reason]).toEqual([409, "too_many_items"]);
    expect((await setting.ask("create", `DELETE ${at}/sections/${section}`)).status).toBe(204);
    expect(await shown()).toBe("");
    expect((await itemsLeft()).filter((entry) => !entry.includes("site-edition"))).toEqual([]);
  });

  describe("simultaneous requests", () => {
    test("two simultaneous first sections both exist, one is default, and the root's spaces are in one of them", async () => {
      await addSpace("one");
      await addSpace("two");
      const [a, b] = [await makeSpace("alpha"), await makeSpace("beta")];
      const answers = await race([`POST ${at}/sections`, { spaceId: a }], [`POST ${at}/sections`, { spaceId: b }]);
      expect(statuses(answers)).toEqual([201, 201]);
      expect(["alpha*(one* two alpha) beta(beta*)", "beta*(one* two beta) alpha(alpha*)"]).toContain(await shown());
    });

    test("a first section created beside a root space contains that space", async () => {
      const [a, b] = [await makeSpace("alpha"), await makeSpace("beta")];
      const answers = await race([`POST ${at}/sections`, { spaceId: a }], [`POST ${at}/site-spaces`, { spaceId: b }]);
      expect(statuses(answers)).toEqual([201, 201]);
      expect(["alpha*(alpha* beta)", "alpha*(beta* alpha)"]).toContain(await shown());
    });

    test("a space added twice at once is added once, and the other request gets 409", async () => {
      const spaceId = await makeSpace("one");
      const answers = await race([`POST ${at}/site-spaces`, { spaceId }], [`POST ${at}/site-spaces`, { spaceId }]);
      expect(statuses(answers)).toEqual([201, 409]);
      expect(await shown()).toBe("one*");
    });

    test("of two simultaneous uses of one path, one succeeds and the other gets 409", async () => {
      const [one, two] = [await addSpace("one"), await addSpace("two")];
      const answers = await race(
        [`PATCH ${at}/site-spaces/${one.item}`, { path: "x" }],
        [`PATCH ${at}/site-spaces/${two.item}`, { path: "x" }],
      );
      expect(statuses(answers)).toEqual([200, 409]);
      expect(["x* two", "one* x"]).toContain(await shown());
    });

    test("one of the last two site spaces of a section stays when both are removed at once", async () => {
      const { section } = await addSection("alpha");
      const more = await addSpace("more", section);
      const { body } = await setting.ask("create", `GET ${at}/site-spaces?default=true`);
      const answers = await race(
        [`DELETE ${at}/site-spaces/${body.items[0].id}`],
        [`DELETE ${at}/site-spaces/${more.item}`],
      );
      expect(statuses(answers)).toEqual([204, 409]);
      expect(["alpha*(more*)", "alpha*(alpha*)"]).toContain(await shown());
    });

    test("the default can be deleted while another one is moved before it", async () => {
      const [one, two, three] = [await addSpace("one"), await addSpace("two"), await addSpace("three")];
      const [deleted, moved] = await race(
        [`DELETE ${at}/site-spaces/${one.item}`],
        [`POST ${at}/site-spaces/${three.item}/move`, beside(one.item)],
      );
      expect(deleted!.status).toBe(204);
      expect([200, 400]).toContain(moved!.status);
      expect(await shown()).toBe(moved!.status === 200 ? "three* two" : "two* three");
      expect((await setting.ask("create", `PATCH ${at}/site-spaces/${two.item}`, {})).status).toBe(200);
    });

    test("a section can be deleted while a site space moves into it", async () => {
      const { section } = await addSection("alpha");
      const beta = await addSection("beta");
      const more = await addSpace("more", beta.section);
      const { body } = await setting.ask("create", `GET ${at}/site-spaces`);
      const [deleted, moved] = await race(
        [`DELETE ${at}/sections/${section}`],
        [`POST ${at}/site-spaces/${more.item}/move`, beside(body.items[0].id)],
      );
      expect(deleted!.status).toBe(204);
      expect([200, 400]).toContain(moved!.status);
      expect(await shown()).toBe(moved!.status === 200 ? "beta*(beta*)" : "beta*(beta* more)");
    });

    test("two items moved into one place both get there in some order", async () => {
      const [one, two, three] = [await addSpace("one"), await addSpace("two"), await addSpace("three")];
      const answers = await race(
        [`POST ${at}/site-spaces/${two.item}/move`, beside(one.item)],
        [`POST ${at}/site-spaces/${three.item}/move`, beside(one.item)],
      );
      expect(statuses(answers)).toEqual([200, 200]);
      expect(["two three one*", "three two one*"]).toContain(await shown());
    });

    /** A request that has decided when something else happens. */
    async function overtaken(
      as: Person,
      route: string,
      send: unknown,
      meanwhile: () => Promise<unknown>,
    ): Promise<Answer> {
      const storage: Storage = interrupted(opened.storage, meanwhile);
      return process(setting, storage).ask(as, route, send);
    }

    test("nothing can be added to a site that is deleted meanwhile", async () => {
      const spaceId = await makeSpace("one");
      const answer = await overtaken("create", `POST ${at}/site-spaces`, { spaceId }, () =>
        setting.ask("admin", `DELETE ${at}`),
      );
      expect([answer.status, answer.body.error?.reason]).toEqual([404, "site_not_found"]);
      await setting.api.maintain();
      expect(await itemsLeft()).toEqual([]);
    });

    test("a space that is deleted meanwhile is not added", async () => {
      const spaceId = await makeSpace("one");
      const answer = await overtaken("create", `POST ${at}/site-spaces`, { spaceId }, () =>
        setting.ask("admin", `DELETE /v1/spaces/${spaceId}`),
      );
      expect([answer.status, answer.body.error?.issues?.[0].path]).toEqual([400, "body.spaceId"]);
    });

    test("a space is not added when the permission to publish it is revoked meanwhile", async () => {
      const spaceId = await makeSpace("one");
      const answer = await overtaken("create", `POST ${at}/site-spaces`, { spaceId }, () =>
        setting.ask("admin", `PATCH /v1/spaces/${spaceId}`, { defaultLevel: "read" }),
      );
      expect(answer.status).toBe(403);
      expect(await shown()).toBe("");
    });
  });
});
