// A site with sections for the laws, and one good request for each operation on its structure.

import type { Setting } from "../support/setting";
import type { Example, Matrix } from "./examples";

/** A site that is not published, its structure, and spaces that are on it or could be. */
export interface Assembled {
  readonly site: string;
  readonly at: string;
  /** With `siteSpaces` in it. */
  readonly section: string;
  readonly siteSpaces: readonly [string, string];
  readonly otherSection: string;
  readonly group: string;
  /** In `group`. */
  readonly grouped: string;
  /** A space that is on no site. */
  readonly spare: string;
}

/** The ids of another site's structure, and of another organization's. */
export interface ForeignItems {
  readonly section: string;
  readonly siteSpace: string;
  readonly space: string;
}

/** Assembles a site out of new spaces. */
export async function assemble({ ask, org }: Setting): Promise<Assembled> {
  const id = async (answer: ReturnType<Setting["ask"]>) => (await answer).body.id as string;
  const space = (title: string) => id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title }));
  const spaces = [await space("English"), await space("French")];
  const site = await id(ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Plan", spaces }));
  const at = `/v1/orgs/${org}/sites/${site}`;
  const add = async (title: string) => id(ask("admin", `POST ${at}/sections`, { spaceId: await space(title), title }));
  const section = await id(ask("admin", `POST ${at}/sections`, { spaceId: spaces[0], title: "Guides" }));
  const { items } = (await ask("admin", `GET ${at}/site-spaces`)).body;
  const [otherSection, grouped] = [await add("Reference"), await add("Changes")];
  const group = await id(ask("admin", `POST ${at}/section-groups`, { title: "More", sections: [grouped] }));
  const siteSpaces = [items[0].id, items[1].id] as const;
  return { site, at, section, siteSpaces, otherSection, group, grouped, spare: await space("Spare") };
}

/** A section on the site of another organization. */
export async function assembleForeign({ ask, otherOrg }: Setting, site: string, space: string): Promise<ForeignItems> {
  const at = `/v1/orgs/${otherOrg}/sites/${site}`;
  const { body } = await ask("rival", `POST ${at}/sections`, { spaceId: space });
  return { section: body.id, siteSpace: body.siteSpaces[0].id, space };
}

/** Whoever may not edit a site hears so, and whoever does not see it that it is not there. */
const editors: Matrix = { stranger: 404, rival: 404, guest: 404, read: 403, comment: 403, edit: 403, review: 403 };
const readers: Matrix = { stranger: 404, rival: 404, guest: 404 };

/** The rows of sections, groups and site-spaces. */
export function structureExamples(assembled: Assembled, foreign: ForeignItems) {
  const { at, section, siteSpaces, otherSection, group, grouped, spare } = assembled;
  const [first, second] = siteSpaces;
  const beside = (pointer: object) => ({ position: { after: pointer } });
  const besideEither = (name: string, pointer: object, more: object = {}) =>
    (["before", "after"] as const).map((side) => ({
      at: `position.${side}.${name}`,
      send: { ...more, position: { [side]: pointer } },
    }));
  const rows = {
    getSiteStructure: { ask: `GET ${at}/structure`, who: readers },
    sortSiteStructure: {
      ask: `PATCH ${at}/structure/sort`,
      send: { item: { type: "site-section", id: section }, ...beside({ type: "site-section-group", id: group }) },
      who: editors,
      foreign: [
        {
          at: "item.id",
          send: {
            item: { type: "site-section", id: foreign.section },
            ...beside({ type: "site-section", id: section }),
          },
        },
        ...besideEither(
          "id",
          { type: "site-section", id: foreign.section },
          { item: { type: "site-section", id: section } },
        ),
      ],
    },
    listSiteSections: { ask: `GET ${at}/sections`, who: readers },
    createSiteSection: {
      ask: `POST ${at}/sections`,
      send: { spaceId: spare, title: "New", icon: "book" },
      who: editors,
      foreign: [{ at: "spaceId", send: { spaceId: foreign.space } }],
    },
    updateSiteSection: {
      ask: `PATCH ${at}/sections/${section}`,
      send: { title: "Changed", defaultSiteSpace: second, condition: "visitor.claims.beta" },
      who: editors,
      foreign: [{ at: "defaultSiteSpace", send: { defaultSiteSpace: foreign.siteSpace } }],
    },
    deleteSiteSection: { ask: `DELETE ${at}/sections/${section}`, who: editors },
    moveSiteSection: {
      ask: `POST ${at}/sections/${section}/move`,
      send: beside({ type: "site-section", siteSection: otherSection }),
      who: editors,
      foreign: besideEither("siteSection", { type: "site-section", siteSection: foreign.section }),
    },
    listSiteSectionGroups: { ask: `GET ${at}/section-groups`, who: readers },
    createSiteSectionGroup: {
      ask: `POST ${at}/section-groups`,
      send: { title: "New", icon: null, sections: [otherSection] },
      who: editors,
      foreign: [{ at: "sections", send: { title: "New", sections: [foreign.section] } }],
    },
    updateSiteSectionGroup: { ask: `PATCH ${at}/section-groups/${group}`, send: { title: "Changed" }, who: editors },
    deleteSiteSectionGroup: { ask: `DELETE ${at}/section-groups/${group}`, who: editors },
    addSectionToGroup: {
      ask: `POST ${at}/section-groups/${group}/sections`,
      send: { sectionId: otherSection },
      who: editors,
      foreign: [{ at: "sectionId", send: { sectionId: foreign.section } }],
    },
    removeSectionFromGroup: { ask: `DELETE ${at}/section-groups/${group}/sections/${grouped}`, who: editors },
    moveSiteSectionGroup: {
      ask: `POST ${at}/section-groups/${group}/move`,
      send: { position: { before: { type: "site-section", id: section } } },
      who: editors,
      foreign: besideEither("id", { type: "site-section", id: foreign.section }),
    },
    listSiteSpaces: { ask: `GET ${at}/site-spaces`, who: readers },
    createSiteSpace: {
      ask: `POST ${at}/site-spaces`,
      send: { spaceId: spare, sectionId: otherSection },
      who: editors,
      foreign: [
        { at: "spaceId", send: { spaceId: foreign.space } },
        { at: "sectionId", send: { spaceId: spare, sectionId: foreign.section } },
      ],
    },
    updateSiteSpace: {
      ask: `PATCH ${at}/site-spaces/${first}`,
      send: { path: "changed", spaceId: spare, condition: null },
      who: editors,
      foreign: [{ at: "spaceId", send: { spaceId: foreign.space } }],
    },
    deleteSiteSpace: { ask: `DELETE ${at}/site-spaces/${first}`, who: editors },
    moveSiteSpace: {
      ask: `POST ${at}/site-spaces/${first}/move`,
      send: beside({ type: "site-space", siteSpace: second }),
      who: editors,
      foreign: besideEither("siteSpace", { type: "site-space", siteSpace: foreign.siteSpace }),
    },
  };
  return rows satisfies Record<string, Example> as Record<keyof typeof rows, Example>;
}
