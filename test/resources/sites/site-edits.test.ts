// Random edits of a site's structure through the API against the plain model of it, on every storage: the answers, the
// refusals, the order and the defaults are the model's.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY, type Setting, setUp } from "../../support/setting";
import { storages } from "../../support/storages";
import { runs } from "../../support/test-length";
import { draws, type Edit, Model, titleOf } from "./site-model";
import { checkStructure, type Shown } from "./site-shape";

/** A site that is edited by the names that the model gives. */
async function openSite(setting: Setting) {
  const { ask, org, api, clock } = setting;
  const make = async (path: string, send: object) => (await ask("create", `POST ${path}`, send)).body.id as string;
  const site = await make(`/v1/orgs/${org}/sites`, { title: "Docs" });
  const at = `/v1/orgs/${org}/sites/${site}`;
  await ask("create", `POST ${at}/publish`);
  const ids = new Map<string, string>();
  const id = (name: string) => ids.get(name)!;
  const kindOf = (name: string) =>
    ({ sec: "sections", grp: "section-groups", ssp: "site-spaces", exl: "external-links" })[id(name).slice(0, 3)]!;
  const spaceId = async (space: string) => {
    if (!ids.has(space)) ids.set(space, await make(`/v1/orgs/${org}/spaces`, { title: titleOf(space) }));
    return id(space);
  };
  const type = (name: string) =>
    ({
      sections: "site-section",
      "section-groups": "site-section-group",
      "site-spaces": "site-space",
      "external-links": "site-external-link",
    })[kindOf(name)]!;
  /** Every other time by the deprecated way, where there is one. */
  let isDeprecated = false;

  async function send(edit: Edit, model: Model): Promise<{ status: number; body: { error?: { reason: string } } }> {
    switch (edit.do) {
      case "add": {
        const section = edit.section === null ? {} : { sectionId: id(edit.section) };
        const answer = await ask("create", `POST ${at}/site-spaces`, {
          spaceId: await spaceId(edit.space),
          ...section,
        });
        ids.set(edit.item, answer.body.id);
        return answer;
      }
      case "section": {
        const answer = await ask("create", `POST ${at}/sections`, {
          spaceId: await spaceId(edit.space),
          title: titleOf(edit.space),
        });
        ids.set(edit.section, answer.body.id);
        for (const item of answer.body.siteSpaces ?? [])
          if (item.space.id === id(edit.space)) ids.set(edit.item, item.id);
        return answer;
      }
      case "group": {
        const sections = edit.sections.map(id);
        const answer = await ask("create", `POST ${at}/section-groups`, { title: "group", sections });
        ids.set(edit.group, answer.body.id);
        return answer;
      }
      case "link": {
        const parent = edit.group === null ? null : id(edit.group);
        const body = { title: edit.link, url: "https://example.com", parent };
        const answer = await ask("create", `POST ${at}/external-links`, body);
        ids.set(edit.link, answer.body.id);
        return answer;
      }
      case "drop":
        return ask("create", `DELETE ${at}/${kindOf(edit.id)}/${id(edit.id)}`);
      case "purge": {
        const space = model.spaces().find((it) => it.id === edit.id)!.space;
        const answer = await ask("create", `DELETE /v1/spaces/${id(space)}`);
        clock.forward(8 * DAY);
        await api.maintain();
        return answer;
      }
      case "default": {
        const section = model.sectionOf(edit.id);
        if (section) return ask("create", `PATCH ${at}/sections/${id(section.id)}`, { defaultSiteSpace: id(edit.id) });
        const member = kindOf(edit.id) === "sections" ? "defaultSiteSection" : "defaultSiteSpace";
        return ask("create", `PATCH ${at}`, { [member]: id(edit.id) });
      }
      case "path":
        return ask("create", `PATCH ${at}/${kindOf(edit.id)}/${id(edit.id)}`, { path: edit.path });
      case "into":
        return ask("create", `POST ${at}/section-groups/${id(edit.group)}/sections`, { sectionId: id(edit.id) });
      case "out": {
        const group = model.groups().find(({ inside }) => inside.some((it) => it.id === edit.id))!;
        return ask("create", `DELETE ${at}/section-groups/${id(group.id)}/sections/${id(edit.id)}`);
      }
      case "move":
        return move(edit.id, edit.side, edit.beside);
    }
  }

  async function move(item: string, side: string, beside: string) {
    isDeprecated = !isDeprecated;
    const pointer = { type: type(beside), id: id(beside) };
    const [from, to] = [type(item), type(beside)];
    const isSame = from === to && from !== "site-section-group";
    if (!isDeprecated || (from !== "site-section-group" && !isSame)) {
      const sort = { item: { type: from, id: id(item) }, position: { [side]: pointer } };
      return ask("create", `PATCH ${at}/structure/sort`, sort);
    }
    const named = from === "site-section" ? { siteSection: id(beside) } : { siteSpace: id(beside) };
    const position = { [side]: isSame ? { type: to, ...named } : pointer };
    return ask("create", `POST ${at}/${kindOf(item)}/${id(item)}/move`, { position });
  }

  return { at, ids, send };
}

/** The lists show what the structure shows, in the same order. */
async function checkLists({ ask }: Setting, at: string, shown: Shown): Promise<void> {
  const list = async (what: string) => (await ask("create", `GET ${at}/${what}?limit=1000`)).body.items;
  const sections = await list("sections");
  expect(sections).toEqual(
    shown.structure.flatMap((it) => it.sections ?? [it]).filter((it) => it.object === "site-section"),
  );
  expect(await list("site-spaces")).toEqual(
    shown.type === "siteSpaces" ? shown.structure : sections.flatMap((it: { siteSpaces: unknown[] }) => it.siteSpaces),
  );
}

/** Every URL leads back to what it is the URL of. */
async function checkUrls({ ask }: Setting, at: string): Promise<void> {
  for (const { id, section, urls } of (await ask("create", `GET ${at}/site-spaces?limit=1000`)).body.items) {
    const { body } = await ask(null, "POST /v1/urls/published", { url: urls.published });
    expect([body.type, body.siteSpace, body.siteSection], urls.published).toEqual(["content", id, section]);
  }
}

describe.each(storages)("on %s", (_, openStorage) => {
  test("structure edits through the API agree with the model", async () => {
    await fc.assert(
      fc.asyncProperty(draws, async (drawn) => {
        const { storage, cleanUp } = await openStorage();
        try {
          const setting = await setUp(storage);
          const { at, send } = await openSite(setting);
          const model = new Model();
          for (const draw of drawn) {
            const edit = model.edit(draw);
            const answer = await send(edit, model);
            const expected = model.apply(edit);
            const told = `${JSON.stringify(edit)} → ${JSON.stringify(answer.body?.error)}`;
            expect(answer.body?.error?.reason, told).toBe(expected);
            const shown = (await setting.ask("create", `GET ${at}/structure`)).body as Shown;
            expect(checkStructure(shown), told).toBe(model.line());
            await checkLists(setting, at, shown);
          }
          await checkUrls(setting, at);
        } finally {
          await storage.close();
          await cleanUp();
        }
      }),
      { numRuns: runs(16) },
    );
  });
});
