// A site with sections for the laws, and one good request for each operation on its structure.

import type { Setting } from "../support/setting";
import { allow, type Example, type Matrix } from "./example";

/** Assembles a site out of new spaces, which is not published. `grouped` is the section in `group`, and `spare` a space that is
 * on no site. */
export async function assemble({ ask, org }: Setting) {
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
  const link = await id(
    ask("admin", `POST ${at}/external-links`, { title: "Status", url: "https://status.example.com" }),
  );
  const siteSpaces: readonly [string, string] = [items[0].id, items[1].id];
  const empty = await id(ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Empty" }));
  return {
    site,
    at,
    empty,
    section,
    siteSpaces,
    otherSection,
    group,
    grouped,
    link,
    spare: await space("Spare"),
  };
}

/** A section on the site of another organization. */
export async function assembleForeign({ ask, otherOrg }: Setting, site: string, space: string) {
  const at = `/v1/orgs/${otherOrg}/sites/${site}`;
  const { body } = await ask("rival", `POST ${at}/sections`, { spaceId: space });
  const group = (await ask("rival", `POST ${at}/section-groups`, { title: "Theirs" })).body.id as string;
  return { section: body.id as string, siteSpace: body.siteSpaces[0].id as string, group, space };
}

/** Whoever may not edit a site hears so, and whoever does not see it that it is not there. */
const editors: Matrix = { stranger: 404, rival: 404, guest: 404, read: 403, comment: 403, edit: 403, review: 403 };
const readers: Matrix = { stranger: 404, rival: 404, guest: 404 };

/** The rows of sections, groups and site-spaces. */
export function structureExamples(
  assembled: Awaited<ReturnType<typeof assemble>>,
  foreign: Awaited<ReturnType<typeof assembleForeign>>,
) {
  const { at, empty, section, siteSpaces, otherSection, group, grouped, link, spare } = assembled;
  const [first, second] = siteSpaces;
  const beside = (pointer: object) => ({ position: { after: pointer } });
  const besideEither = (name: string, pointer: object, more: object = {}) =>
    (["before", "after"] as const).map((side) => ({
      at: `position.${side}.${name}`,
      send: { ...more, position: { [side]: pointer } },
    }));
  const rows = {
    getSiteStructure: allow(`GET ${at}/structure`, readers),
    sortSiteStructure: allow(`PATCH ${at}/structure/sort`, editors, {
      send: { item: { type: "site-section", id: section }, ...beside({ type: "site-section-group", id: group }) },
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
    }),
    listSiteSections: allow(`GET ${at}/sections`, readers),
    createSiteSection: allow(`POST ${at}/sections`, editors, {
      send: { spaceId: spare, title: "New", icon: "book" },
      foreign: [{ at: "spaceId", send: { spaceId: foreign.space } }],
    }),
    updateSiteSection: allow(`PATCH ${at}/sections/${section}`, editors, {
      send: { title: "Changed", defaultSiteSpace: second, condition: "visitor.claims.beta" },
      foreign: [{ at: "defaultSiteSpace", send: { defaultSiteSpace: foreign.siteSpace } }],
    }),
    deleteSiteSection: allow(`DELETE ${at}/sections/${section}`, editors),
    moveSiteSection: allow(`POST ${at}/sections/${section}/move`, editors, {
      send: beside({ type: "site-section", siteSection: otherSection }),
      foreign: besideEither("siteSection", { type: "site-section", siteSection: foreign.section }),
    }),
    listSiteSectionGroups: allow(`GET ${at}/section-groups`, readers),
    createSiteSectionGroup: allow(`POST ${at}/section-groups`, editors, {
      send: { title: "New", icon: null, sections: [otherSection] },
      foreign: [{ at: "sections", send: { title: "New", sections: [foreign.section] } }],
    }),
    updateSiteSectionGroup: allow(`PATCH ${at}/section-groups/${group}`, editors, { send: { title: "Changed" } }),
    deleteSiteSectionGroup: allow(`DELETE ${at}/section-groups/${group}`, editors),
    addSectionToGroup: allow(`POST ${at}/section-groups/${group}/sections`, editors, {
      send: { sectionId: otherSection },
      foreign: [{ at: "sectionId", send: { sectionId: foreign.section } }],
    }),
    removeSectionFromGroup: allow(`DELETE ${at}/section-groups/${group}/sections/${grouped}`, editors),
    moveSiteSectionGroup: allow(`POST ${at}/section-groups/${group}/move`, editors, {
      send: { position: { before: { type: "site-section", id: section } } },
      foreign: besideEither("id", { type: "site-section", id: foreign.section }),
    }),
    createSiteExternalLink: allow(`POST ${at}/external-links`, editors, {
      send: { title: "Community", url: "https://forum.example.com/", icon: "comments", parent: group },
      foreign: [
        { at: "parent", send: { title: "Community", url: "https://forum.example.com/", parent: foreign.group } },
      ],
    }),
    updateSiteExternalLink: allow(`PATCH ${at}/external-links/${link}`, editors, {
      send: { title: "Incidents", draft: true, condition: "visitor.claims.beta", parent: group },
      foreign: [{ at: "parent", send: { parent: foreign.group } }],
    }),
    deleteSiteExternalLink: allow(`DELETE ${at}/external-links/${link}`, editors),
    listSiteSpaces: allow(`GET ${at}/site-spaces`, readers),
    createSiteSpace: allow(`POST ${at}/site-spaces`, editors, {
      send: { spaceId: spare, sectionId: otherSection },
      foreign: [
        { at: "spaceId", send: { spaceId: foreign.space } },
        { at: "sectionId", send: { spaceId: spare, sectionId: foreign.section } },
      ],
    }),
    updateSiteSpace: allow(`PATCH ${at}/site-spaces/${first}`, editors, {
      send: { path: "changed", spaceId: spare, condition: null },
      foreign: [{ at: "spaceId", send: { spaceId: foreign.space } }],
    }),
    duplicateSiteSpace: allow(`POST ${at}/site-spaces/${first}/duplicate`, editors),
    applySiteTemplate: allow(`POST ${at.replace(assembled.site, empty)}/template`, editors),
    deleteSiteSpace: allow(`DELETE ${at}/site-spaces/${first}`, editors),
    moveSiteSpace: allow(`POST ${at}/site-spaces/${first}/move`, editors, {
      send: beside({ type: "site-space", siteSpace: second }),
      foreign: besideEither("siteSpace", { type: "site-space", siteSpace: foreign.siteSpace }),
    }),
  };
  return rows satisfies Record<string, Example> as Record<keyof typeof rows, Example>;
}
