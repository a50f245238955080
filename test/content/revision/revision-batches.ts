// Random batches of changes. Their targets are chosen by number from what exists when a batch begins. So most changes
// can be made; some name things that are gone, never existed, or conflict with the same batch.

import fc from "fast-check";
import { type PlainLink, type Planned, type Text, type Tree, written } from "./revision-tree";

const titles = [
  "Guide",
  "Guide",
  "Setup",
  "Über uns & Co.",
  "!?",
  "日本語",
  `${"long ".repeat(19)}end`,
  "𠮷".repeat(60),
];
const slugs = ["guide", "setup", "x", "guide-1", `${"a".repeat(97)}-b`];
const words = ["quick", "brown", "lazy"];
const parts = ["Part one", "Part two", "Part three"];
const refs = ["ref0", "ref1", "ref2", "ref3", "ref4", "ref5", "ref6", "ref7"];

const some = <T>(items: readonly T[]) => fc.constantFrom(...items);
/** Something, `oftener` times as often as nothing. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>, oftener = 1) =>
  fc.option(arbitrary, { nil: undefined, freq: oftener + 1 });
/** One of the things that are there; one in forty is gone or never was. */
const pick = fc.record({ n: fc.nat({ max: 999 }), isThere: fc.nat({ max: 39 }).map((n) => n > 0) });
const at = maybe(fc.nat({ max: 5 }));
const slug = maybe(
  fc.oneof({ weight: 20, arbitrary: some(slugs) }, { weight: 1, arbitrary: some(["Not a slug", "../up"]) }),
  3,
);

const destinations = "page page path path beside file asset ref ref reusable self web none before before".split(" ");
const link = fc.record({
  to: some(destinations),
  pick,
  ref: some(refs),
  anchor: maybe(some(["part-one", "gone"])),
});
const text = fc.record({
  title: maybe(some(titles.slice(0, 3))),
  description: maybe(some(words)),
  headings: fc.subarray(parts),
  links: fc.array(link, { maxLength: 4 }),
});
const into = fc.option(pick, { nil: null, freq: 2 });
/** Whether a change gets a ref; one in thirty is one that another change may have. */
const ref = maybe(fc.nat({ max: 29 }), 2);
const hidden = maybe(fc.boolean());
const title = some(titles);

const operation = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ make: some(["insert_page"]), title: maybe(title, 3), slug, text, into, at, ref, hidden }),
  },
  { weight: 1, arbitrary: fc.record({ make: some(["insert_group"]), title, slug, at, ref }) },
  { weight: 1, arbitrary: fc.record({ make: some(["insert_link"]), title, slug, into, at, ref, target: maybe(pick) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      make: some(["update_page"]),
      page: pick,
      title: maybe(some(titles.slice(0, 4))),
      slug: maybe(slug),
      description: maybe(some(words)),
      hidden,
      text: maybe(text),
      into: maybe(into),
      at: maybe(at),
    }),
  },
  { weight: 4, arbitrary: fc.record({ make: some(["move_page"]), page: pick, into: maybe(into), at }) },
  { weight: 1, arbitrary: fc.record({ make: some(["delete_page"]), page: pick }) },
  { weight: 1, arbitrary: fc.record({ make: some(["revert_page"]), page: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      make: some(["insert_files"]),
      names: fc.array(some(["a.txt", "b.txt"]), { minLength: 1, maxLength: 3 }),
      ref,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ make: some(["delete_files"]), files: fc.array(pick, { minLength: 1, maxLength: 2 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      make: some(["set_variables"]),
      variables: fc.dictionary(
        some(["a", "product", "größe"]),
        fc.oneof(some(words), fc.nat(), fc.boolean(), fc.constant(null)),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ make: some(["insert_reusable_content"]), title, text, ref }) },
  {
    weight: 1,
    arbitrary: fc.record({
      make: some(["update_reusable_content"]),
      reusable: pick,
      title: maybe(title),
      text: maybe(text),
    }),
  },
  { weight: 1, arbitrary: fc.record({ make: some(["delete_reusable_content"]), reusable: pick }) },
);

type Operation = typeof operation extends fc.Arbitrary<infer It> ? It : never;
type Pick = { readonly n: number; readonly isThere: boolean };

/** A batch that is not settled yet. */
export type Plan = readonly Operation[];
/** Batches, one after another. */
export const anyPlans: fc.Arbitrary<Plan[]> = fc.array(fc.array(operation, { minLength: 1, maxLength: 8 }), {
  minLength: 2,
  maxLength: 7,
});

type Link = typeof link extends fc.Arbitrary<infer It> ? It : never;
type GivenText = typeof text extends fc.Arbitrary<infer It> ? It : never;

/** What a plan means for a tree. Pages that the batch brings itself are named by their refs. */
export function settledPlan(tree: Tree, plan: Plan): Planned[] {
  const settling = new Settling(tree);
  return plan.map((operation, i) => settling.settle(operation, i));
}

class Settling {
  readonly #tree: Tree;
  readonly #gone = new Set<string>();
  readonly #brought = { page: [] as string[], reusable: [] as string[] };

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  settle(operation: Operation, index: number): Planned {
    const it = operation as unknown as Record<string, never> & { make: string };
    const members: Record<string, unknown> = { operation: it.make };
    for (const name of ["title", "slug", "description", "hidden", "at", "variables"])
      if (it[name] !== undefined) members[name] = it[name];
    if (it.ref !== undefined) members.ref = this.#refFor(it.make, it.ref, index);
    const named = this.#name(it, members);
    if (!named) return this.#withText({ operation: "insert_page", title: "Guide" }, { headings: [], links: [] });
    const parts = it.text && this.#textFrom(it.text, members.page as string | undefined);
    const isText =
      parts && (it.make !== "update_page" || this.#tree.pages.get(members.page as string)?.type !== "group");
    return isText ? this.#withText(members, parts) : { change: members as never };
  }

  /** Fills in what a change is about; false when there is nothing of the kind. */
  #name(it: Record<string, never> & { make: string }, members: Record<string, unknown>): boolean {
    const { make } = it;
    const pages = this.#there(this.#tree.pages.keys(), this.#brought.page);
    if (it.page) {
      members.page = chosen(pages, it.page, "pag_none");
      if (make === "delete_page" && members.page) this.#leave(members.page as string);
    }
    if ("target" in it)
      members.target = it.target
        ? { kind: "page", page: chosen(pages, it.target, "pag_none") }
        : { kind: "url", url: "https://example.com/" };
    if (it.into !== undefined) members.into = it.into && this.#home(it.into, members.page as string | undefined);
    if (it.reusable) {
      const reusables = this.#there(this.#tree.reusables.keys(), this.#brought.reusable);
      members.reusableContent = chosen(reusables, it.reusable, "reu_none");
      if (make === "delete_reusable_content") this.#gone.add(members.reusableContent as string);
    }
    if (it.files) {
      const files = this.#there(this.#tree.files.keys(), []);
      members.files = (it.files as Pick[]).map((pick) => chosen(files, pick, "fil_none"));
      for (const file of members.files as string[]) this.#gone.add(file);
    }
    if (it.names) members.files = filesNamed(it.names, members);
    return ![members.page, members.reusableContent, ...((members.files as unknown[]) ?? [])].includes(NOTHING);
  }

  #there(known: Iterable<string>, brought: readonly string[]): string[] {
    return [...known, ...brought].filter((id) => !this.#gone.has(id));
  }

  /** Mostly a page that another one can go into: cycles and pages below links come about rarely enough. */
  #home(pick: Pick, page: string | undefined): string | null {
    const isHome = (id: string) =>
      pick.n % 20 === 0 ||
      (this.#tree.pages.get(id)?.type !== "link" && !this.#tree.ancestry(id).some((above) => above.id === page));
    const found = chosen(this.#there(this.#tree.pages.keys(), this.#brought.page).filter(isHome), pick, "pag_none");
    return found === NOTHING ? null : found;
  }

  #leave(id: string): void {
    this.#gone.add(id);
    for (const below of this.#tree.walk(id)) this.#gone.add(below.id);
  }

  #refFor(make: string, n: number, index: number): string {
    const ref = n === 0 ? refs[0]! : refs[index]!;
    if (make === "insert_reusable_content") this.#brought.reusable.push(ref);
    else if (make !== "insert_link" && make !== "insert_files") this.#brought.page.push(ref);
    return ref;
  }

  #textFrom(given: GivenText, page: string | undefined): Text {
    const before = (page === undefined ? undefined : this.#tree.links.get(page)) ?? [];
    return { ...given, links: given.links.map((link) => this.#hrefOf(link, before)) };
  }

  #hrefOf({ to, pick, ref, anchor }: Link, before: readonly PlainLink[]): string {
    const tree = this.#tree;
    const known = chosen([...tree.pages.keys()], pick, "pag_none") || "pag_none";
    const behind = anchor === undefined ? "" : `#${anchor}`;
    const path = tree.pathOf(known);
    if (to === "before" && before.length > 0) return before[pick.n % before.length]!.href;
    if (to === "page") return `/pages/${known}${behind}`;
    if (to === "path") return `/${path.join("/") || "nowhere"}.md${behind}`;
    if (to === "beside") return `${path.at(-1) ?? "nowhere"}.md${behind}`;
    if (to === "file") return `/files/${chosen([...tree.files.keys()], pick, "fil_none") || "fil_none"}`;
    if (to === "asset") return "/.gitbook/assets/a-1.txt";
    if (to === "reusable") return `/reusable-contents/${chosen([...tree.reusables.keys()], pick, "reu_none") || "x"}`;
    if (to === "ref") return `./${ref}${pick.n % 2 ? ".md" : ""}${behind}`;
    if (to === "self") return "#part-one";
    return to === "web" ? "https://example.com/" : "../../up/and/away.md";
  }

  #withText(members: Record<string, unknown>, text: Text): Planned {
    return { change: { ...members, document: { markdown: written(text) } } as never, text };
  }
}

/** No name at all. */
const NOTHING = "";

function chosen(names: readonly string[], { n, isThere }: Pick, never: string): string {
  if (!isThere) return never;
  return names[n % Math.max(names.length, 1)] ?? NOTHING;
}

function filesNamed(names: readonly string[], members: Record<string, unknown>): object[] {
  const { ref } = members;
  delete members.ref;
  return names.map((name, i) => ({
    name,
    contentType: "text/plain",
    bytes: new TextEncoder().encode(`${name} ${i}`),
    ...(i === 0 && ref !== undefined ? { ref } : {}),
  }));
}
