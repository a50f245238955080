// Ids of a site's structure, in the path and in the body: each is looked up on the site that the path names, and nowhere else.

import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { dump, type Person, type Setting, setUp } from "../support/setting";

interface Items {
  readonly at: string;
  readonly section: string;
  readonly other: string;
  readonly group: string;
  readonly siteSpace: string;
  readonly space: string;
}

let setting: Setting;
let mine: Items;
let foreign: Record<string, Items>;

/** A site with two sections and a group, and a space that is not on it. */
async function build(as: Person, org: string): Promise<Items> {
  const post = async (path: string, send: object) => {
    const { status, body } = await setting.ask(as, `POST /v1/orgs/${org}/${path}`, send);
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  };
  const space = async () => (await post("spaces", { title: "x" })).id;
  const site = (await post("sites", { title: "Docs" })).id;
  const section = await post(`sites/${site}/sections`, { spaceId: await space() });
  const other = await post(`sites/${site}/sections`, { spaceId: await space() });
  await post(`sites/${site}/site-spaces`, { spaceId: await space(), sectionId: section.id });
  const group = await post(`sites/${site}/section-groups`, { title: "G", sections: [other.id] });
  const siteSpace = section.siteSpaces[0].id;
  return {
    at: `/v1/orgs/${org}/sites/${site}`,
    section: section.id,
    other: other.id,
    group: group.id,
    siteSpace,
    space: await space(),
  };
}

beforeEach(async () => {
  setting = await setUp(memoryStorage());
  mine = await build("create", setting.org);
  foreign = {
    "another site": await build("create", setting.org),
    "another organization": await build("rival", setting.otherOrg),
    nowhere: {
      at: `/v1/orgs/${setting.org}/sites/sit_none`,
      section: "sec_none",
      other: "sec_none",
      group: "grp_none",
      siteSpace: "ssp_none",
      space: "spc_none",
    },
  };
});

type Case = [what: string, route: (my: Items, their: Items) => string, send?: (my: Items, their: Items) => unknown];

const inPath: Case[] = [
  ["a section to change", (my, { section }) => `PATCH ${my.at}/sections/${section}`, () => ({ title: "Mine" })],
  [
    "a section to move",
    (my, { section }) => `POST ${my.at}/sections/${section}/move`,
    (my) => ({ position: { after: { type: "site-section", siteSection: my.section } } }),
  ],
  ["a group to change", (my, { group }) => `PATCH ${my.at}/section-groups/${group}`, () => ({ title: "Mine" })],
  [
    "a group to add to",
    (my, { group }) => `POST ${my.at}/section-groups/${group}/sections`,
    (my) => ({ sectionId: my.section }),
  ],
  [
    "a group to move",
    (my, { group }) => `POST ${my.at}/section-groups/${group}/move`,
    (my) => ({ position: { after: { type: "site-section", id: my.section } } }),
  ],
  ["a group to take from", (my, { group }) => `DELETE ${my.at}/section-groups/${group}/sections/${my.other}`],
  [
    "a site-space to change",
    (my, { siteSpace }) => `PATCH ${my.at}/site-spaces/${siteSpace}`,
    () => ({ path: "mine" }),
  ],
  [
    "a site-space to move",
    (my, { siteSpace }) => `POST ${my.at}/site-spaces/${siteSpace}/move`,
    (my) => ({ position: { after: { type: "site-space", siteSpace: my.siteSpace } } }),
  ],
];

const toDelete: Case[] = [
  ["a section", (my, { section }) => `DELETE ${my.at}/sections/${section}`],
  ["a group", (my, { group }) => `DELETE ${my.at}/section-groups/${group}`],
  ["a site-space", (my, { siteSpace }) => `DELETE ${my.at}/site-spaces/${siteSpace}`],
  ["a section of a group", (my, { other }) => `DELETE ${my.at}/section-groups/${my.group}/sections/${other}`],
];

/** Each with the member that is refused. A space belongs to an organization, so one of another site's is one's own. */
const inBody: [...Case, names: string][] = [
  ["the space of a section", ({ at }) => `POST ${at}/sections`, (_, { space }) => ({ spaceId: space }), "body.spaceId"],
  [
    "the space of a site-space",
    ({ at }) => `POST ${at}/site-spaces`,
    (_, { space }) => ({ spaceId: space }),
    "body.spaceId",
  ],
  [
    "another space of a site-space",
    ({ at, siteSpace }) => `PATCH ${at}/site-spaces/${siteSpace}`,
    (_, { space }) => ({ spaceId: space }),
    "body.spaceId",
  ],
  [
    "the section of a site-space",
    ({ at }) => `POST ${at}/site-spaces`,
    (my, { section }) => ({ spaceId: my.space, sectionId: section }),
    "body.sectionId",
  ],
  [
    "the section for a group",
    ({ at, group }) => `POST ${at}/section-groups/${group}/sections`,
    (_, { section }) => ({ sectionId: section }),
    "body.sectionId",
  ],
  [
    "the sections of a group",
    ({ at }) => `POST ${at}/section-groups`,
    (my, { section }) => ({ title: "x", sections: [my.section, section] }),
    "body.sections.1",
  ],
  [
    "the default of a section",
    ({ at, section }) => `PATCH ${at}/sections/${section}`,
    (_, { siteSpace }) => ({ defaultSiteSpace: siteSpace }),
    "body.defaultSiteSpace",
  ],
  ...(["before", "after"] as const).flatMap((side): [...Case, string][] => [
    [
      `what a section moves ${side}`,
      ({ at, section }) => `POST ${at}/sections/${section}/move`,
      (_, their) => ({ position: { [side]: { type: "site-section", siteSection: their.section } } }),
      `body.position.${side}`,
    ],
    [
      `what a site-space moves ${side}`,
      ({ at, siteSpace }) => `POST ${at}/site-spaces/${siteSpace}/move`,
      (_, their) => ({ position: { [side]: { type: "site-space", siteSpace: their.siteSpace } } }),
      `body.position.${side}`,
    ],
    [
      `what a group moves ${side}`,
      ({ at, group }) => `POST ${at}/section-groups/${group}/move`,
      (_, their) => ({ position: { [side]: { type: "site-section-group", id: their.group } } }),
      `body.position.${side}`,
    ],
    [
      `what is sorted ${side}`,
      ({ at }) => `PATCH ${at}/structure/sort`,
      (my, their) => ({
        item: { type: "site-section", id: my.section },
        position: { [side]: { type: "site-section", id: their.section } },
      }),
      `body.position.${side}`,
    ],
  ]),
  [
    "what is sorted",
    ({ at }) => `PATCH ${at}/structure/sort`,
    (my, their) => ({
      item: { type: "site-section", id: their.section },
      position: { after: { type: "site-section", id: my.section } },
    }),
    "body.item",
  ],
];

const places = ["another site", "another organization", "nowhere"];

describe.each(places)("S19: an id of %s", (place) => {
  test.each(inPath)(
    "S19: an id of another site or organization in the path is not found: %s",
    async (_, route, send) => {
      const before = await dump(setting.storage);
      const answer = await setting.ask("create", route(mine, foreign[place]!), send?.(mine, foreign[place]!));
      expect(answer.status, JSON.stringify(answer.body)).toBe(404);
      expect(await dump(setting.storage)).toEqual(before);
      const own = await setting.ask("create", route(mine, mine), send?.(mine, mine));
      expect([200, 201, 204, 400], "one's own is there").toContain(own.status);
    },
  );

  test.each(toDelete)("S19: an id of another site or organization deletes nothing: %s", async (_, route) => {
    const before = await dump(setting.storage);
    expect((await setting.ask("create", route(mine, foreign[place]!))).status).toBe(204);
    expect(await dump(setting.storage)).toEqual(before);
    expect((await setting.ask("create", route(mine, mine))).status).toBe(204);
    expect(await dump(setting.storage)).not.toEqual(before);
  });

  test.each(inBody)(
    "S19: an id of another site or organization in the body is rejected by name: %s",
    async (_, route, send, names) => {
      if (names === "body.spaceId" && place === "another site") return;
      const before = await dump(setting.storage);
      const answer = await setting.ask("create", route(mine, foreign[place]!), send!(mine, foreign[place]!));
      expect([answer.status, answer.body.error.issues?.[0].path]).toEqual([400, names]);
      expect(await dump(setting.storage)).toEqual(before);
    },
  );
});

describe("S19: ids of one organization under another", () => {
  test("S19: ids of one organization lead nowhere under another one of the caller", async () => {
    const door = (await setting.ask("rival", `POST /v1/orgs/${setting.otherOrg}/link-invites`, { role: "create" }))
      .body;
    await setting.ask("create", `POST /v1/orgs/${setting.otherOrg}/invites/${door.id}`);
    const site = mine.at.split("/").at(-1)!;
    for (const path of ["sections", "site-spaces", "section-groups", "structure"]) {
      const answer = await setting.ask("create", `GET /v1/orgs/${setting.otherOrg}/sites/${site}/${path}`);
      expect([answer.status, answer.body.error?.reason], path).toEqual([404, "site_not_found"]);
    }
    const theirs = foreign["another organization"]!;
    const taken = await setting.ask("create", `POST ${mine.at}/sections`, { spaceId: theirs.space });
    expect([taken.status, taken.body.error?.issues?.[0].path]).toEqual([400, "body.spaceId"]);
  });
});

describe("S30: errors that reveal existence", () => {
  test("S30: a caller who may not edit a site gets the same response for existing and missing items", async () => {
    for (const person of ["read", "comment", "edit", "review"] as const) {
      for (const [what, route, send] of [...inPath, ...toDelete]) {
        for (const items of [mine, ...Object.values(foreign)]) {
          const answer = await setting.ask(person, route(mine, items), send?.(mine, items));
          expect([answer.status, answer.body?.error?.reason], `${what} as ${person}`).toEqual([403, "forbidden"]);
        }
      }
    }
  });
});

describe("S36: conditions", () => {
  test("S36: a condition that reaches beyond plain data is rejected when it is set", async () => {
    for (const condition of [
      "visitor.constructor.constructor('return 1')()",
      "(() => 1)()",
      "process.exit()",
      "x".repeat(1025),
      `${"(".repeat(200)}1${")".repeat(200)}`,
    ]) {
      for (const item of [`sections/${mine.section}`, `site-spaces/${mine.siteSpace}`]) {
        const answer = await setting.ask("create", `PATCH ${mine.at}/${item}`, { condition });
        expect([answer.status, answer.body.error?.issues?.[0].path], condition).toEqual([400, "body.condition"]);
      }
    }
  });

  test("S36: a condition sees no inherited properties", async () => {
    await setting.ask("create", `POST ${mine.at}/publish`);
    const seen = async () => (await setting.ask(null, `GET ${mine.at}/sections`)).body.count;
    expect(await seen()).toBe(2);
    for (const name of ["__proto__", "constructor", "toString"]) {
      const condition = `visitor.claims.${name} || visitor.claims["${name}"]`;
      expect((await setting.ask("create", `PATCH ${mine.at}/sections/${mine.section}`, { condition })).status).toBe(
        200,
      );
      expect(await seen(), name).toBe(1);
    }
  });
});
