// A plain model of a site's structure, in nested lists, and random edits of it: what the real one must agree with.

import fc from "fast-check";

interface Space {
  readonly kind: "space";
  readonly id: string;
  readonly space: string;
  path: string;
}
interface Section {
  readonly kind: "section";
  readonly id: string;
  path: string;
  default: string;
  readonly inside: Space[];
}
interface Link {
  readonly kind: "link";
  readonly id: string;
}
interface Group {
  readonly kind: "group";
  readonly id: string;
  readonly inside: (Section | Link)[];
}
type Item = Space | Section | Group | Link;

/** One edit, with the names that the model gives to things. */
export type Edit =
  | { readonly do: "add"; readonly item: string; readonly space: string; readonly section: string | null }
  | { readonly do: "section"; readonly section: string; readonly item: string; readonly space: string }
  | { readonly do: "group"; readonly group: string; readonly sections: readonly string[] }
  | { readonly do: "link"; readonly link: string; readonly group: string | null }
  | { readonly do: "drop" | "purge" | "default" | "out"; readonly id: string }
  | { readonly do: "move"; readonly id: string; readonly side: "before" | "after"; readonly beside: string }
  | { readonly do: "path"; readonly id: string; readonly path: string }
  | { readonly do: "into"; readonly id: string; readonly group: string };

/** Spaces are named by their title and a number: the title is what paths are made from. */
export const titleOf = (space: string) => space.split("#")[0]!;

/** What an edit is drawn from; which things it is about depends on what there is then. */
const draw = fc.record({
  what: fc.nat(15),
  a: fc.nat(99),
  b: fc.nat(99),
  side: fc.constantFrom("before" as const, "after" as const),
  title: fc.constantFrom("ann", "bob", "cy"),
});
type Draw = typeof draw extends fc.Arbitrary<infer One> ? One : never;

/** Histories long enough that something stands in groups. */
export const draws = fc.noBias(fc.array(draw, { minLength: 1, maxLength: 60, size: "max" }));

export class Model {
  readonly root: Space[] = [];
  readonly top: (Section | Group | Link)[] = [];
  default: string | null = null;
  #names = 0;

  sections(): Section[] {
    return this.#grouped().filter((item) => item.kind === "section");
  }
  links(): Link[] {
    return this.#grouped().filter((item) => item.kind === "link");
  }
  #grouped(): (Section | Link)[] {
    return this.top.flatMap((item) => (item.kind === "group" ? item.inside : [item]));
  }
  groups(): Group[] {
    return this.top.filter((item) => item.kind === "group");
  }
  spaces(): Space[] {
    return [...this.root, ...this.sections().flatMap(({ inside }) => inside)];
  }
  find(id: string): Item | undefined {
    return [...this.groups(), ...this.sections(), ...this.links(), ...this.spaces()].find((item) => item.id === id);
  }
  #rowOf(id: string): Item[] {
    const rows: Item[][] = [
      this.root,
      this.top,
      ...this.groups().map((it) => it.inside),
      ...this.sections().map((it) => it.inside),
    ];
    return rows.find((row) => row.some((item) => item.id === id))!;
  }
  sectionOf(id: string): Section | undefined {
    return this.sections().find(({ inside }) => inside.some((item) => item.id === id));
  }
  #take(id: string): void {
    const row = this.#rowOf(id);
    row.splice(
      row.findIndex((item) => item.id === id),
      1,
    );
  }
  #elect(): void {
    for (const section of this.sections())
      if (!section.inside.some(({ id }) => id === section.default)) section.default = section.inside[0]!.id;
    const eligible = this.sections().length > 0 ? this.sections() : this.root;
    if (!eligible.some(({ id }) => id === this.default)) this.default = eligible[0]?.id ?? null;
  }
  #free(title: string, among: readonly { path: string }[]): string {
    let path = title;
    for (let n = 1; among.some((it) => it.path === path); n++) path = `${title}-${n}`;
    return path;
  }

  /** An edit of what there is now. */
  edit({ what, a, b, side, title }: Draw): Edit {
    const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];
    const space = b % 7 === 0 && this.spaces().length > 0 ? pick(this.spaces(), a)!.space : `${title}#${++this.#names}`;
    const items = [...this.spaces(), ...this.sections(), ...this.groups(), ...this.links()];
    const one = pick(items, a)?.id;
    const section = pick(this.sections(), b);
    const group = pick(this.groups(), a);
    const fresh = { item: `item${++this.#names}`, space };
    if (what < 3 || one === undefined) return { do: "add", ...fresh, section: a % 2 ? (section?.id ?? null) : null };
    if (what < 5) return { do: "section", section: `section${this.#names}`, ...fresh };
    if (what === 5) return { do: "group", group: `group${this.#names}`, sections: section ? [section.id] : [] };
    if (what === 6) return { do: "drop", id: one };
    if (what === 7 && this.spaces().length > 0) return { do: "purge", id: pick(this.spaces(), a)!.id };
    const isNamed = ["space", "section"].includes(this.find(one)!.kind);
    if (what === 8 && isNamed) return { do: "path", id: one, path: title };
    if (what === 9 && this.spaces().length > 0) {
      const wanted = pick(this.spaces(), a)!.id;
      return { do: "default", id: section && b % 2 ? section.id : wanted };
    }
    if (what === 10 && section && group) return { do: "into", id: section.id, group: group.id };
    const inGroup = this.groups().flatMap(({ inside }) => inside.filter(({ kind }) => kind === "section"));
    if (what === 11 && inGroup.length > 0) return { do: "out", id: pick(inGroup, a)!.id };
    if (what === 12) return { do: "link", link: `link${this.#names}`, group: b % 2 ? (group?.id ?? null) : null };
    return { do: "move", id: one, side, beside: pick(items, b)!.id };
  }

  /** Makes an edit; the reason, if it must be refused. */
  apply(edit: Edit): string | undefined {
    const refusal = this.#make(edit);
    this.#elect();
    return refusal;
  }

  #make(edit: Edit): string | undefined {
    switch (edit.do) {
      case "add": {
        if (this.spaces().some(({ space }) => space === edit.space)) return "space_on_site";
        const section = this.sections().find(({ id }) => id === (edit.section ?? this.default));
        const row = section?.inside ?? this.root;
        const path = this.#free(titleOf(edit.space), row);
        row.push({ kind: "space", id: edit.item, space: edit.space, path });
        return undefined;
      }
      case "section": {
        const isRooted = this.root.some(({ space }) => space === edit.space);
        if (!isRooted && this.spaces().some(({ space }) => space === edit.space)) return "space_on_site";
        const inside = this.root.splice(0);
        const title = titleOf(edit.space);
        if (!isRooted)
          inside.push({ kind: "space", id: edit.item, space: edit.space, path: this.#free(title, inside) });
        const path = this.#free(title, this.sections());
        const elected = inside.find(({ id }) => id === this.default) ?? inside[0]!;
        this.top.push({ kind: "section", id: edit.section, path, default: elected.id, inside });
        return undefined;
      }
      case "group": {
        const inside = edit.sections.map((id) => this.find(id) as Section);
        for (const { id } of inside) this.#take(id);
        this.top.push({ kind: "group", id: edit.group, inside });
        return undefined;
      }
      case "link": {
        if (this.sections().length === 0) return "no_sections";
        const row = edit.group === null ? this.top : (this.find(edit.group) as Group).inside;
        row.push({ kind: "link", id: edit.link });
        return undefined;
      }
      case "drop":
        return this.#drop(this.find(edit.id)!);
      case "purge": {
        const section = this.sectionOf(edit.id);
        this.#take(section?.inside.length === 1 ? section.id : edit.id);
        return undefined;
      }
      case "default": {
        const section = this.sectionOf(edit.id);
        if (section) section.default = edit.id;
        else this.default = edit.id;
        return undefined;
      }
      case "path": {
        const item = this.find(edit.id) as Space | Section;
        const beside = item.kind === "section" ? this.sections() : (this.#rowOf(item.id) as Space[]);
        if (beside.some((it) => it.id !== item.id && it.path === edit.path)) return "path_taken";
        item.path = edit.path;
        return undefined;
      }
      case "into": {
        const group = this.find(edit.group) as Group;
        if (group.inside.some(({ id }) => id === edit.id)) return undefined;
        const section = this.find(edit.id) as Section;
        this.#take(edit.id);
        group.inside.push(section);
        return undefined;
      }
      case "out": {
        const group = this.groups().find(({ inside }) => inside.some(({ id }) => id === edit.id))!;
        const section = this.find(edit.id) as Section;
        this.#take(edit.id);
        this.top.splice(this.top.indexOf(group) + 1, 0, section);
        return undefined;
      }
      case "move":
        return this.#move(edit.id, edit.side, edit.beside);
    }
  }

  #drop(item: Item): string | undefined {
    if (item.kind === "space" && this.sectionOf(item.id)?.inside.length === 1) return "last_in_section";
    if (item.kind === "group") this.top.splice(this.top.indexOf(item), 1, ...item.inside);
    else this.#take(item.id);
    return undefined;
  }

  #move(id: string, side: "before" | "after", beside: string): string | undefined {
    const [item, neighbour] = [this.find(id)!, this.find(beside)!];
    if (id === beside || (item.kind === "space") !== (neighbour.kind === "space")) return "invalid_request";
    if (item.kind === "group" && this.#rowOf(beside) !== this.top) return "invalid_request";
    const [from, to] = [this.#rowOf(id), this.#rowOf(beside)];
    if (item.kind === "space" && from !== to) {
      if (from.length === 1) return "last_in_section";
      if ((to as Space[]).some(({ path }) => path === item.path)) return "path_taken";
    }
    this.#take(id);
    to.splice(to.findIndex((it) => it.id === beside) + (side === "after" ? 1 : 0), 0, item);
    return undefined;
  }

  /** The structure as one line: groups with their sections, `*` behind what is default. */
  line(): string {
    const one = (item: Item): string => {
      if (item.kind === "group") return `group[${item.inside.map(one).join(" ")}]`;
      if (item.kind === "link") return `@${item.id}`;
      const section = this.sectionOf(item.id);
      const isDefault = item.id === (section ? section.default : this.default);
      const name = `${item.path}${isDefault ? "*" : ""}`;
      return item.kind === "section" ? `${name}(${item.inside.map(one).join(" ")})` : name;
    };
    return (this.sections().length > 0 ? this.top : this.root).map(one).join(" ");
  }
}
