// A site with more on it than one commit can check: it is read, listed and changed like a small one.

import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { setUp } from "../../support/setting";
import { checkStructure, type Shown } from "./site-shape";

const SECTIONS = 50;
const EACH = 10;

test("50 sections with 500 site spaces are listed, sorted, grouped and deleted", async () => {
  const { ask, org } = await setUp(memoryStorage());
  const post = async (path: string, send: object) => {
    const { status, body } = await ask("create", `POST /v1/orgs/${org}/${path}`, send);
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  };
  const space = async (title: string) => (await post("spaces", { title })).id as string;
  const site = (await post("sites", { title: "Large" })).id;
  const at = `/v1/orgs/${org}/sites/${site}`;
  const sections: string[] = [];
  for (let i = 0; i < SECTIONS; i++) {
    const made = await post(`sites/${site}/sections`, { spaceId: await space(`s${i}`) });
    sections.push(made.id);
    for (let j = 1; j < EACH; j++)
      await post(`sites/${site}/site-spaces`, { spaceId: await space(`v${j}`), sectionId: made.id });
  }
  const first = await ask("create", `GET ${at}/structure`);
  checkStructure(first.body as Shown);
  expect((await ask("read", `GET ${at}/site-spaces?limit=1000`)).body.count).toBe(SECTIONS * EACH);
  const sorting = {
    item: { type: "site-section", id: sections.at(-1) },
    position: { before: { type: "site-section", id: sections[0] } },
  };
  const match = { "if-match": first.headers.get("etag")! };
  expect((await ask("create", `PATCH ${at}/structure/sort`, sorting, match)).status).toBe(200);
  expect((await ask("create", `PATCH ${at}/structure/sort`, sorting, match)).status).toBe(412);
  const all = await ask("create", `POST ${at}/section-groups`, { title: "All", sections });
  expect([all.status, all.body.sections.length]).toEqual([201, SECTIONS]);
  expect((await ask("create", `DELETE ${at}/section-groups/${all.body.id}`)).status).toBe(204);
  expect((await ask("create", `DELETE ${at}/sections/${sections[0]}`)).status).toBe(204);
  const { body } = await ask("create", `GET ${at}/structure`);
  checkStructure(body as Shown);
  expect((body as Shown).structure.map(({ id }) => id)).toEqual(sections.slice(1));
});
