// URLs on a site: every page of every site-space has one, no two have the same, and each leads back to the page that it was
// made for, whatever sections, site-spaces and pages are called.

import fc from "fast-check";
import { expect, test } from "vitest";
import { getItemPath, getPagePathOnSite, matchSiteSpace } from "../../../src/resources/sites/addresses/site-urls";
import type { ItemRecord, SectionRecord, SiteSpaceRecord } from "../../../src/resources/sites/records";
import { createStructure, getSiteSpaces, type Structure } from "../../../src/resources/sites/structure/structure";

/** Few names, so that they meet. */
const names = ["a", "b", "c"];
const row = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
const pages = ["", ...names, ...names.flatMap((one) => names.map((two) => `${one}/${two}`))];

const siteSpace = (parent: string | null, path: string, i: number): SiteSpaceRecord => ({
  type: "site-space",
  site: "s",
  id: `${parent}/${path}`,
  parent,
  position: `a${i}`,
  space: `${parent}-${path}`,
  path,
  condition: null,
});

const rooted = fc.record({ paths: row, first: fc.nat() }).map(({ paths, first }) =>
  createStructure(
    paths.map((path, i) => siteSpace(null, path, i)),
    `null/${paths[first % paths.length]}`,
  ),
);

const sectioned = fc
  .record({
    paths: row,
    inside: fc.array(row, { minLength: 3, maxLength: 3 }),
    first: fc.nat(),
    isGrouped: fc.boolean(),
  })
  .map(({ paths, inside, first, isGrouped }) => {
    const group: ItemRecord = {
      type: "site-section-group",
      site: "s",
      id: "group",
      parent: null,
      position: "a9",
      title: "G",
      icon: null,
    };
    const items = paths.flatMap((path, i): ItemRecord[] => {
      const spaces = inside[i]!.map((name, n) => siteSpace(path, name, n));
      const section: SectionRecord = {
        type: "site-section",
        site: "s",
        id: path,
        parent: isGrouped && i > 0 ? "group" : null,
        position: `a${i}`,
        title: path,
        path,
        icon: null,
        description: null,
        condition: null,
        defaultItem: spaces[first % spaces.length]!.id,
      };
      return [section, ...spaces];
    });
    return createStructure([group, ...items], paths[first % paths.length]!);
  });

type Make = typeof getPagePathOnSite;

/** Every page of a site leads back to itself. */
function leadsBack(structure: Structure, make: Make): void {
  const seen = new Set<string>();
  for (const one of getSiteSpaces(structure)) {
    for (const page of pages) {
      const path = make(structure, one, page);
      const found = matchSiteSpace(structure, path);
      expect([found?.siteSpace.id, found?.rest.join("/")], `${one.id} ${page} at /${path.join("/")}`).toEqual([
        one.id,
        page,
      ]);
      expect(seen.has(path.join("/"))).toBe(false);
      seen.add(path.join("/"));
    }
  }
}

test("every URL of a site resolves to the page it was made for", () => {
  fc.assert(
    fc.property(fc.oneof(rooted, sectioned), (structure) => leadsBack(structure, getPagePathOnSite)),
    { numRuns: 300 },
  );
});

test("control: the short form alone resolves to the wrong page where names collide", () => {
  const short: Make = (structure, one, page) => [
    ...getItemPath(structure, one.id)!,
    ...(page === "" ? [] : page.split("/")),
  ];
  expect(() =>
    fc.assert(
      fc.property(fc.oneof(rooted, sectioned), (structure) => leadsBack(structure, short)),
      { numRuns: 300 },
    ),
  ).toThrow();
});

test("control: a short form that matches the right space, whatever follows, resolves to the wrong page", () => {
  const careless: Make = (structure, one, page) => {
    const path = [...getItemPath(structure, one.id)!, ...(page === "" ? [] : page.split("/"))];
    return matchSiteSpace(structure, path)?.siteSpace.id === one.id ? path : getPagePathOnSite(structure, one, page);
  };
  expect(() =>
    fc.assert(fc.property(fc.oneof(rooted, sectioned), (structure) => leadsBack(structure, careless))),
  ).toThrow();
});
