// What must hold of every structure that a site shows, and the structure as one line.

import { expect } from "vitest";

/** A structure as it is answered. */
export interface Shown {
  readonly type: "sections" | "siteSpaces";
  readonly structure: readonly ShownItem[];
}

export interface ShownItem {
  readonly object: "site-section" | "site-section-group" | "site-space" | "site-external-link";
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly default: boolean;
  readonly sections?: readonly ShownItem[];
  readonly children?: readonly ShownItem[];
  readonly siteSpaces?: readonly ShownItem[];
  readonly space?: { readonly id: string };
  readonly urls?: { readonly published?: string };
}

/** The sections in order, those of groups where they stand. */
export const shownSections = ({ structure }: Shown) =>
  structure.flatMap((item) => item.sections ?? [item]).filter((item) => item.object === "site-section");

/** Checks that defaults are there and unique, paths and spaces too, and that no section is empty; gives the structure as one
 * line: groups with their sections, `*` behind what is default. */
export function checkStructure(shown: Shown): string {
  const sections = shownSections(shown);
  const places = [
    ...(shown.type === "siteSpaces" ? [shown.structure] : [sections]),
    ...sections.map(({ siteSpaces }) => siteSpaces!),
  ];
  for (const place of places) {
    expect(place.filter((item) => item.default).length).toBe(place.length === 0 ? 0 : 1);
    expect(new Set(place.map(({ path }) => path)).size).toBe(place.length);
  }
  for (const { siteSpaces } of sections) expect(siteSpaces!.length).toBeGreaterThan(0);
  const types = new Set(shown.structure.map(({ object }) => object === "site-space"));
  expect([...types]).toEqual(shown.structure.length === 0 ? [] : [shown.type === "siteSpaces"]);
  const siteSpaces = shown.type === "siteSpaces" ? shown.structure : sections.flatMap((it) => it.siteSpaces!);
  expect(new Set(siteSpaces.map(({ space }) => space!.id)).size).toBe(siteSpaces.length);
  const urls = siteSpaces.flatMap((item) => item.urls?.published ?? []);
  expect(new Set(urls).size).toBe(urls.length);
  return lineOf(shown);
}

/** A structure as one line. */
export function lineOf({ structure }: Shown): string {
  const one = (item: ShownItem): string => {
    if (item.sections) return `${item.title}[${(item.children ?? item.sections).map(one).join(" ")}]`;
    if (item.object === "site-external-link") return `@${item.title}`;
    const name = `${item.path}${item.default ? "*" : ""}`;
    return item.siteSpaces ? `${name}(${item.siteSpaces.map(one).join(" ")})` : name;
  };
  return structure.map(one).join(" ");
}
