// Random edits of a site's structure as a value against a plain model of it. After every edit everything stands where the
// model has it, every place has its one default, and every URL leads back to what it is the URL of.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DocsError } from "../../../src/errors";
import { getItemPath } from "../../../src/resources/sites/addresses/site-urls";
import type { ItemRecord } from "../../../src/resources/sites/records";
import * as editing from "../../../src/resources/sites/structure/edit-structure";
import * as moving from "../../../src/resources/sites/structure/moves";
import {
  createStructure,
  getChildSiteSpaces,
  getSections,
  getSiteSpaces,
  isDefaultItem,
  isExternalLink,
  isSection,
  isSectionGroup,
  isSiteSpace,
  type Structure,
} from "../../../src/resources/sites/structure/structure";
import { runs } from "../../support/test-length";
import { draws, type Edit, Model, titleOf } from "./site-model";

const site = "site";
const newSpace = (edit: { item: string; space: string }) => ({
  site,
  id: edit.item,
  space: edit.space,
  title: titleOf(edit.space),
});

/** An edit made with the real functions. */
function apply(structure: Structure, edit: Edit): Structure {
  const item = <T extends ItemRecord>(id: string) => structure.get(id) as T;
  switch (edit.do) {
    case "add":
      return editing.addSiteSpace(structure, newSpace(edit), edit.section);
    case "section":
      return editing.addSection(
        structure,
        { site, id: edit.section, title: titleOf(edit.space), icon: null },
        newSpace(edit),
      );
    case "group":
      return editing.addGroup(
        structure,
        { site, id: edit.group, title: "group", icon: null },
        edit.sections.map((id) => item<never>(id)),
      );
    case "link": {
      const rest = { title: "link", description: null, icon: null, draft: false, condition: null };
      return editing.addExternalLink(structure, {
        site,
        id: edit.link,
        parent: edit.group,
        url: "https://example.com",
        ...rest,
      });
    }
    case "drop": {
      const found = item(edit.id);
      if (isExternalLink(found)) return editing.applyItemChanges(structure, { without: [found] });
      if (isSectionGroup(found)) return moving.removeGroup(structure, found);
      if (isSection(found)) return editing.removeSection(structure, found);
      return editing.removeSiteSpace(structure, item<never>(edit.id));
    }
    case "purge":
      return editing.removeDeletedSpace(structure, item<never>(edit.id));
    case "default":
      return editing.setDefaultItem(structure, item<never>(edit.id));
    case "path":
      return editing.replaceItem(structure, { ...item(edit.id), path: edit.path } as ItemRecord);
    case "into":
      return moving.moveSectionIntoGroup(structure, item<never>(edit.id), item<never>(edit.group));
    case "out":
      return moving.moveSectionOutOfGroup(structure, item<never>(edit.id), item<never>(item(edit.id).parent!));
    case "move":
      return moving.moveItem(structure, item(edit.id), { side: edit.side, neighbour: item(edit.beside) });
  }
}

/** What a path leads to, found in the plainest way. */
function resolve(structure: Structure, [first, second]: readonly string[]): string | undefined {
  const sections = getSections(structure);
  const bySecond = (
    among: readonly { id: string; path: string }[],
    path: string | undefined,
    fallback: string | null,
  ) => among.find((it) => it.path === path)?.id ?? fallback ?? undefined;
  if (sections.length === 0) return bySecond(getChildSiteSpaces(structure, null), first, structure.defaultItem);
  const section = sections.find((it) => it.path === first) ?? sections.find((it) => it.id === structure.defaultItem)!;
  return bySecond(getChildSiteSpaces(structure, section.id), second, section.defaultItem);
}

function check(structure: Structure): void {
  const sections = getSections(structure);
  const siteSpaces = getSiteSpaces(structure);
  const others = structure.items.filter((item) => isSectionGroup(item) || isExternalLink(item));
  expect(siteSpaces.length + sections.length + others.length).toBe(structure.items.length);
  expect(sections.length === 0 || getChildSiteSpaces(structure, null).length === 0).toBe(true);
  const places = [
    sections.length > 0 ? sections : getChildSiteSpaces(structure, null),
    ...sections.map(({ id }) => getChildSiteSpaces(structure, id)),
  ];
  for (const place of places) {
    expect(place.filter((item) => isDefaultItem(structure, item)).length).toBe(place.length === 0 ? 0 : 1);
    expect(new Set(place.map(({ path }) => path)).size).toBe(place.length);
  }
  for (const { id } of sections) expect(getChildSiteSpaces(structure, id).length).toBeGreaterThan(0);
  const rows = new Map(structure.items.map(({ parent, position }) => [`${parent} ${position}`, 1]));
  expect(rows.size).toBe(structure.items.length);
  const urls = siteSpaces.map(({ id }) => getItemPath(structure, id)!.join("/"));
  expect(new Set(urls).size).toBe(urls.length);
  for (const { id } of siteSpaces) expect(resolve(structure, getItemPath(structure, id)!)).toBe(id);
  for (const { id, defaultItem } of sections) expect(resolve(structure, getItemPath(structure, id)!)).toBe(defaultItem);
}

function lineOf(structure: Structure): string {
  const one = (item: ItemRecord): string => {
    if (isSectionGroup(item)) return `group[${structure.getChildren(item.id).map(one).join(" ")}]`;
    if (isExternalLink(item)) return `@${item.id}`;
    const name = `${item.path}${isDefaultItem(structure, item) ? "*" : ""}`;
    return isSection(item) ? `${name}(${structure.getChildren(item.id).map(one).join(" ")})` : name;
  };
  const top = structure.getChildren(null);
  return (getSections(structure).length > 0 ? top : top.filter(isSiteSpace)).map(one).join(" ");
}

/** Makes an edit, and gives what became of it: the reason of its refusal, if it was refused. */
function outcome(structure: Structure, edit: Edit): { structure: Structure; reason: string | undefined } {
  try {
    return { structure: apply(structure, edit), reason: undefined };
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    return { structure, reason: error.reason };
  }
}

test("random edits agree with a model, and every structure keeps its invariants", () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(draws, (drawn) => {
      const model = new Model();
      let structure = createStructure([], null);
      for (const draw of drawn) {
        const edit = model.edit(draw);
        const expected = model.apply(edit);
        const made = outcome(structure, edit);
        seen.set(expected ?? edit.do, (seen.get(expected ?? edit.do) ?? 0) + 1);
        expect(made.reason, JSON.stringify(edit)).toBe(expected);
        structure = made.structure;
        check(structure);
        expect(lineOf(structure), JSON.stringify(edit)).toBe(model.line());
      }
    }),
    { numRuns: runs(600) },
  );
  const kinds = ["add", "section", "group", "link", "drop", "purge", "default", "path", "into", "out", "move"];
  const reasons = ["space_on_site", "last_in_section", "path_taken", "invalid_request", "no_sections"];
  for (const it of [...kinds, ...reasons]) expect(seen.get(it) ?? 0, it).toBeGreaterThan(20);
});

describe("the checks of this test", () => {
  const start = [
    { do: "section", section: "s", item: "a", space: "ann#1" },
    { do: "add", item: "b", space: "bob#2", section: "s" },
    { do: "section", section: "t", item: "c", space: "cy#3" },
  ] satisfies Edit[];
  const good = start.reduce<Structure>(apply, createStructure([], null));
  const broken: [string, (item: ItemRecord) => ItemRecord[]][] = [
    ["two of one path", (it) => [isSiteSpace(it) ? { ...it, path: "x" } : it]],
    ["a default that is elsewhere", (it) => [isSection(it) ? { ...it, defaultItem: "c" } : it]],
    ["an empty section", (it) => (it.id === "c" ? [] : [it])],
    [
      "a site-space at the root beside sections",
      (it) => [it.id === "b" ? ({ ...it, parent: null } as ItemRecord) : it],
    ],
    ["two in one position", (it) => [{ ...it, position: "a0" }]],
  ];

  test("the reference structure is valid", () => check(good));
  test.each(broken)("an invalid structure is detected: %s", (_, change) => {
    expect(() => check(createStructure(good.items.flatMap(change), good.defaultItem))).toThrow();
  });
  test("a structure without a default is detected", () => {
    expect(() => check(createStructure(good.items, null))).toThrow();
  });
});

describe("limits", () => {
  const many = (count: number, section: string | null = null, from = createStructure([], null)) =>
    Array.from({ length: count }).reduce<Structure>(
      (structure, _, i) =>
        apply(structure, { do: "add", item: `${section}${i}`, space: `ann#${section}${i}`, section }),
      from,
    );

  test("a group holds 65 site spaces, a section group 65 sections, and a site 2,000 items", () => {
    const full = many(65);
    expect(outcome(full, { do: "add", item: "x", space: "bob#x", section: null }).reason).toBe("too_many_items");
    expect(outcome(full, { do: "section", section: "s", item: "x", space: "bob#x" }).reason).toBe("too_many_items");
    const moved = outcome(full, { do: "section", section: "s", item: "x", space: "ann#null0" });
    expect(getChildSiteSpaces(moved.structure, "s").length).toBe(65);
    const other = apply(moved.structure, { do: "section", section: "t", item: "y", space: "bob#y" });
    const more = apply(other, { do: "add", item: "z", space: "cy#z", section: "t" });
    expect(outcome(more, { do: "move", id: "z", side: "after", beside: "null0" }).reason).toBe("too_many_items");
    let grouped = apply(createStructure([], null), { do: "group", group: "g", sections: [] });
    for (let i = 0; i < 66; i++) {
      grouped = apply(grouped, { do: "section", section: `s${i}`, item: `i${i}`, space: `ann#${i}` });
      const { reason, structure } = outcome(grouped, { do: "into", id: `s${i}`, group: "g" });
      expect(reason).toBe(i < 65 ? undefined : "too_many_items");
      grouped = structure;
    }
    const items = Array.from({ length: 2000 }, (_, i): ItemRecord => {
      return { type: "site-section-group", site, id: `g${i}`, parent: null, position: `b${i}`, title: "g", icon: null };
    });
    const packed = createStructure(items, null);
    expect(outcome(packed, { do: "add", item: "x", space: "bob#x", section: null }).reason).toBe("too_many_items");
  });
});
