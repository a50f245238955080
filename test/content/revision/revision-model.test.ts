// Random batches of changes compared with a plain tree: a revision holds what the tree holds, an invalid batch is
// refused, derived data equals a new derivation, and the difference of two revisions equals that of the trees.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changeMap, createMemorySource, type JsonValue } from "../../../src/content/prolly-tree";
import type { AnchorEntry } from "../../../src/content/revision/anchors";
import type { BatchChange } from "../../../src/content/revision/changes";
import { compareRevisions } from "../../../src/content/revision/compare-revisions";
import { createStoredView } from "../../../src/content/revision/draft";
import {
  type FileEntry,
  type LinkEntry,
  linkTargets,
  type PageEntry,
  type ReusableEntry,
} from "../../../src/content/revision/entries";
import { BatchError } from "../../../src/content/revision/errors";
import { addNumberToSlug, createSlug, isSlug } from "../../../src/content/slugs";
import { runs } from "../../support/test-length";
import { Content } from "./revision-content";

// The expected result of a batch of changes: a plain tree of pages in nested lists, with plain maps beside it. It
// implements what is documented, and shares no code with revisions.

/** A text in its parts; the links are what stands between their brackets. */
interface Text {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly headings: readonly string[];
  readonly links: readonly string[];
}

/** A text as Markdown. */
function written({ title, description, headings, links }: Text): string {
  const front = description === undefined ? "" : `---\ndescription: ${description}\n---\n\n`;
  const top = title === undefined ? "" : `# ${title}\n\n`;
  const parts = headings.map((heading) => `## ${heading}\n\n`).join("");
  return `${front}${top}${links.map((href) => `[there](${href})\n\n`).join("")}${parts}Some words.\n`;
}

/** The anchors of a text's headings. */
const anchorsOf = ({ headings }: Text) => headings.map((heading) => createSlug(heading));

interface PlainPage {
  readonly id: string;
  readonly type: "document" | "group" | "link";
  title: string;
  slug: string;
  parent: string | null;
  description?: string | undefined;
  hidden?: true | undefined;
  target?: string;
  text?: Text;
}

interface PlainLink {
  readonly href: string;
  readonly to: string;
  readonly isFound: boolean;
}

/** A change, with the text that it brings in its parts. */
interface Planned {
  readonly change: BatchChange;
  readonly text?: Text;
}

/** A change that has to be refused, and which of its members is wrong. */
class Wrong extends Error {
  constructor(
    readonly index: number,
    readonly path: string,
  ) {
    super(`${index}.${path}`);
  }
}

type Fields = { title?: string; slug?: string; description?: string | null; hidden?: boolean };
type Where = { into?: string | null | undefined; at?: number | undefined };

class Tree {
  readonly pages = new Map<string, PlainPage>();
  /** The pages under each page, in order; under null those at the top. */
  readonly children = new Map<string | null, string[]>([[null, []]]);
  /** Slugs that a page had once and no page has now, by parent. */
  readonly formers = new Map<string, string>();
  readonly variables = new Map<string, string | number | boolean>();
  readonly files = new Map<string, { readonly name: string; readonly path: string; readonly text: string }>();
  readonly reusables = new Map<string, { title: string; readonly path: string; text: Text }>();
  readonly links = new Map<string, PlainLink[]>();

  copy(): Tree {
    const copy = new Tree();
    for (const [id, page] of this.pages) copy.pages.set(id, { ...page });
    for (const [id, ids] of this.children) copy.children.set(id, [...ids]);
    for (const [id, reusable] of this.reusables) copy.reusables.set(id, { ...reusable });
    for (const name of ["formers", "variables", "files", "links"] as const)
      for (const [key, value] of this[name]) (copy[name] as Map<string, unknown>).set(key, value);
    return copy;
  }

  /** A page and those above it, from itself to the top. */
  ancestry(id: string | null): PlainPage[] {
    const page = id === null ? undefined : this.pages.get(id);
    return page ? [page, ...this.ancestry(page.parent)] : [];
  }

  pathOf(id: string): string[] {
    return this.ancestry(id)
      .map(({ slug }) => slug)
      .reverse();
  }

  /** The page at a path, also at one that it had once. */
  at(path: readonly string[]): string | undefined {
    let at: string | null = null;
    for (const slug of path) {
      const here: string[] = this.children.get(at) ?? [];
      const next: string | undefined =
        here.find((id) => this.pages.get(id)!.slug === slug) ?? this.formers.get(`${at}/${slug}`);
      if (next === undefined) return undefined;
      at = next;
    }
    return at !== null && this.pages.has(at) ? at : undefined;
  }

  /** Each page with its index among its siblings, in the order of the tree. */
  *walk(parent: string | null = null): Generator<PlainPage> {
    for (const id of this.children.get(parent) ?? []) {
      yield this.pages.get(id)!;
      yield* this.walk(id);
    }
  }
}

/** Plays a batch on a tree, which is changed; throws `Wrong` where the batch has to be refused. */
function playBatch(
  tree: Tree,
  planned: readonly Planned[],
  tools: { readonly newId: (kind: string) => string; readonly earlier: Tree | undefined },
): void {
  const refs = new Map<string, { readonly kind: "page" | "file" | "reusable"; readonly id: string }>();
  const waiting = new Map<string, Text>();
  let index = 0;
  const wrong = (path: string) => new Wrong(index, path);

  const pageNamed = (name: string) => {
    const referred = refs.get(name);
    return referred?.kind === "page" ? referred.id : name;
  };
  const pageOf = (name: string) => {
    const page = tree.pages.get(pageNamed(name));
    if (!page) throw wrong("page");
    return page;
  };
  const reusableOf = (name: string) => {
    const referred = refs.get(name);
    const id = referred?.kind === "reusable" ? referred.id : name;
    if (!tree.reusables.has(id)) throw wrong("reusableContent");
    return id;
  };
  const refer = (ref: string | undefined, kind: "page" | "file" | "reusable", id: string) => {
    if (ref === undefined) return;
    if (refs.has(ref)) throw wrong("ref");
    refs.set(ref, { kind, id });
  };

  function slugFor(wanted: string, id: string, parent: string | null): string {
    if (!isSlug(wanted)) throw wrong("slug");
    const others = tree.children.get(parent)!.filter((other) => other !== id);
    const taken = new Set(others.map((other) => tree.pages.get(other)!.slug));
    for (let n = 0, slug = wanted; ; slug = addNumberToSlug(wanted, ++n)) if (!taken.has(slug)) return slug;
  }

  function checkParent(type: PlainPage["type"], parent: string | null): void {
    if (parent === null) return;
    const above = tree.pages.get(parent);
    if (type === "group" || !above || above.type === "link") throw wrong("into");
  }

  function put(page: PlainPage, at: number | undefined): void {
    const siblings = tree.children.get(page.parent)!;
    siblings.splice(at ?? siblings.length, 0, page.id);
    tree.formers.delete(`${page.parent}/${page.slug}`);
  }

  function insert(
    { ref, slug, at }: { ref?: string | undefined; slug?: string | undefined; at?: number | undefined },
    page: Omit<PlainPage, "id" | "slug">,
  ): PlainPage {
    const id = tools.newId("page");
    checkParent(page.type, page.parent);
    const made = { ...page, id, slug: slugFor(slug ?? createSlug(page.title), id, page.parent) };
    tree.pages.set(id, made);
    tree.children.set(id, []);
    put(made, at);
    refer(ref, "page", id);
    return made;
  }

  function rename(page: PlainPage, wanted: string | undefined): void {
    if (wanted === undefined || wanted === page.slug) return;
    const slug = slugFor(wanted, page.id, page.parent);
    if (slug === page.slug) return;
    tree.formers.set(`${page.parent}/${page.slug}`, page.id);
    tree.formers.delete(`${page.parent}/${slug}`);
    page.slug = slug;
  }

  function move(page: PlainPage, { into, at }: Where): void {
    const parent = into === undefined ? page.parent : into === null ? null : pageNamed(into);
    checkParent(page.type, parent);
    if (tree.ancestry(parent).includes(page)) throw wrong("into");
    const siblings = tree.children.get(page.parent)!;
    const slug = parent === page.parent ? page.slug : slugFor(page.slug, page.id, parent);
    siblings.splice(siblings.indexOf(page.id), 1);
    if (parent !== page.parent) tree.formers.set(`${page.parent}/${page.slug}`, page.id);
    Object.assign(page, { parent, slug });
    put(page, at);
  }

  function remove(page: PlainPage): void {
    for (const id of [...tree.children.get(page.id)!]) remove(tree.pages.get(id)!);
    const siblings = tree.children.get(page.parent)!;
    siblings.splice(siblings.indexOf(page.id), 1);
    tree.pages.delete(page.id);
    tree.children.delete(page.id);
    tree.links.delete(page.id);
  }

  /** What the text states wins; what it states already follows what is set. */
  function setFields(page: PlainPage, fields: Fields, text: Text | undefined): void {
    const stated = text ?? waiting.get(page.id) ?? page.text;
    const next = { ...stated, headings: stated?.headings ?? [], links: stated?.links ?? [] };
    const follows = !text && stated && (["title", "description"] as const).filter((it) => it in fields && stated[it]);
    for (const name of follows || []) next[name] = fields[name] as string;
    if (text || (follows && follows.length > 0)) waiting.set(page.id, next);
    page.title = next.title ?? fields.title ?? page.title;
    const description = next.description ?? ("description" in fields ? fields.description : page.description);
    page.description = description || undefined;
    if (fields.hidden !== undefined) page.hidden = fields.hidden ? true : undefined;
  }

  function play({ change, text }: Planned): void {
    switch (change.operation) {
      case "insert_page": {
        const title = text!.title ?? change.title ?? "Untitled";
        const parent = change.into == null ? null : pageNamed(change.into);
        const page = insert(change as never, { type: "document", title, parent });
        setFields(page, fieldsIn(change), text);
        return;
      }
      case "insert_group":
        insert(change as never, { type: "group", title: change.title, parent: null });
        return;
      case "insert_link": {
        const { target } = change;
        const to = target.kind === "page" ? pageNamed(target.page) : (target as { url: string }).url;
        if (target.kind === "page" && !tree.pages.has(to)) throw wrong("target");
        const parent = change.into == null ? null : pageNamed(change.into);
        insert(change as never, { type: "link", title: change.title, parent, target: to });
        return;
      }
      case "update_page": {
        const page = pageOf(change.page);
        if (text && page.type !== "document") throw wrong("document");
        setFields(page, fieldsIn(change), text);
        rename(page, change.slug ?? undefined);
        if (change.into !== undefined || change.at !== undefined) move(page, change);
        return;
      }
      case "move_page":
        move(pageOf(change.page), change);
        return;
      case "delete_page":
        remove(pageOf(change.page));
        return;
      case "revert_page": {
        const page = pageOf(change.page);
        if (!tools.earlier) throw wrong("revision");
        const then = tools.earlier.pages.get(page.id);
        if (!then) throw wrong("page");
        const { parent, slug } = page;
        Object.assign(page, { hidden: undefined, description: undefined }, then, { parent, slug });
        if (then.text) waiting.set(page.id, then.text);
        return;
      }
      case "set_variables":
        for (const [name, value] of Object.entries(change.variables)) {
          if (value === null) tree.variables.delete(name);
          else tree.variables.set(name, value);
        }
        return;
      case "insert_files":
        for (const { name, ref, bytes } of change.files) {
          const id = tools.newId("file");
          const path = freePath(tree, ".gitbook/assets/", name);
          tree.files.set(id, { name, path, text: new TextDecoder().decode(bytes) });
          refer(ref, "file", id);
        }
        return;
      case "delete_files":
        for (const [i, id] of change.files.entries()) if (!tree.files.delete(id)) throw wrong(`files.${i}`);
        return;
      case "insert_reusable_content": {
        const id = tools.newId("reusableContent");
        const path = freePath(tree, ".gitbook/includes/", `${createSlug(change.title)}.md`);
        tree.reusables.set(id, { title: change.title, path, text: text! });
        waiting.set(id, text!);
        refer(change.ref, "reusable", id);
        return;
      }
      case "update_reusable_content": {
        const id = reusableOf(change.reusableContent);
        const reusable = tree.reusables.get(id)!;
        reusable.title = change.title ?? reusable.title;
        if (text) waiting.set(id, text);
        return;
      }
      case "delete_reusable_content": {
        const id = reusableOf(change.reusableContent);
        tree.reusables.delete(id);
        tree.links.delete(id);
      }
    }
  }

  for (const one of planned) {
    play(one);
    index++;
  }
  for (const [id, text] of waiting) finish(tree, refs, id, text);
}

function fieldsIn(change: BatchChange): Fields {
  const { title, description, hidden } = change as Fields;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(hidden === undefined ? {} : { hidden }),
  };
}

function freePath(tree: Tree, folder: string, name: string): string {
  const dot = name.lastIndexOf(".");
  const taken = new Set([...tree.files.values(), ...tree.reusables.values()].map(({ path }) => path));
  for (let n = 0; ; n++) {
    const path = `${folder}${name.slice(0, dot)}${n === 0 ? "" : `-${n}`}${name.slice(dot)}`;
    if (!taken.has(path)) return path;
  }
}

const hrefs = { page: "/pages/", file: "/files/", reusable: "/reusable-contents/" } as const;

/** Writes a text down, with the refs of its batch settled and its links followed. */
function finish(
  tree: Tree,
  refs: ReadonlyMap<string, { readonly kind: keyof typeof hrefs; readonly id: string }>,
  id: string,
  waiting: Text,
): void {
  const links = waiting.links.map((href) => {
    const [, ref = "", anchor = ""] = /^\.\/(\w+)(?:\.md)?(#.*)?$/.exec(href) ?? [];
    const referred = refs.get(ref);
    return referred ? `${hrefs[referred.kind]}${referred.id}${anchor}` : href;
  });
  const thing = tree.pages.get(id) ?? tree.reusables.get(id);
  if (!thing) return;
  thing.text = { ...waiting, links };
  const before = new Map(tree.links.get(id)?.map((link) => [link.href, link]));
  const found = links.map((href) => {
    const now = follow(tree, id, href);
    const earlier = before.get(href);
    // A link that says what it said before leads where it did.
    return !now.isFound && earlier?.isFound ? { ...earlier, href } : now;
  });
  tree.links.set(id, found);
}

/** Where a link of a page leads: by id, by path from the top, or by path from where the page stands. */
function follow(tree: Tree, source: string, href: string): PlainLink {
  const [path = "", anchor] = href.split("#");
  const found = (to: string): PlainLink => ({ href, to, isFound: true });
  if (href.startsWith("https:")) return found(linkTargets.external(JSON.stringify(["url", href])));
  if (path === "" && tree.pages.has(source)) return found(linkTargets.page(source, anchor));
  const [, kind, id = ""] = /^\/(pages|files|reusable-contents)\/(\w+)$/.exec(path) ?? [];
  if (kind === "pages" && tree.pages.has(id)) return found(linkTargets.page(id, anchor));
  if (kind === "files" && tree.files.has(id)) return found(linkTargets.file(id));
  if (kind === "reusable-contents" && tree.reusables.has(id)) return found(linkTargets.reusable(id));
  const file = path.startsWith("/.gitbook/") ? [...tree.files].find(([, it]) => it.path === path.slice(1)) : undefined;
  if (file) return found(linkTargets.file(file[0]));
  const names = path.replace(/\.md$/, "").split("/").filter(Boolean);
  const way = tree.pathOf(source);
  const starts = path.startsWith("/") || way.length === 0 ? [[]] : [way.slice(0, -1), way];
  const ways = path.startsWith("/.gitbook/") ? [] : starts.map((start) => stepped([...start], names));
  for (const candidate of ways) {
    const page = candidate && tree.at(candidate);
    if (page !== undefined) return found(linkTargets.page(page, anchor));
  }
  const likeliest = starts.map((start) => stepped([...start], names)).find((it) => it && it.length > 0);
  return { href, to: linkTargets.missing(path === "" ? href : (likeliest?.join("/") ?? path)), isFound: false };
}

function stepped(at: string[], names: readonly string[]): string[] | undefined {
  for (const name of names) {
    if (name === ".") continue;
    if (name !== "..") at.push(name);
    else if (at.pop() === undefined) return undefined;
  }
  return at;
}

// Random batches of changes. Their targets are chosen by number from what exists when a batch begins. So most changes
// can be made; some name things that are gone, never existed, or conflict with the same batch.

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
type Choice = { readonly n: number; readonly isThere: boolean };

/** A batch that is not settled yet. */
type Plan = readonly Operation[];
/** Batches, one after another. */
const anyPlans: fc.Arbitrary<Plan[]> = fc.array(fc.array(operation, { minLength: 1, maxLength: 8 }), {
  minLength: 2,
  maxLength: 7,
});

type Link = typeof link extends fc.Arbitrary<infer It> ? It : never;
type GivenText = typeof text extends fc.Arbitrary<infer It> ? It : never;

/** What a plan means for a tree. Pages that the batch brings itself are named by their refs. */
function settledPlan(tree: Tree, plan: Plan): Planned[] {
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
      members.files = (it.files as Choice[]).map((pick) => chosen(files, pick, "fil_none"));
      for (const file of members.files as string[]) this.#gone.add(file);
    }
    if (it.names) members.files = filesNamed(it.names, members);
    return ![members.page, members.reusableContent, ...((members.files as unknown[]) ?? [])].includes(NOTHING);
  }

  #there(known: Iterable<string>, brought: readonly string[]): string[] {
    return [...known, ...brought].filter((id) => !this.#gone.has(id));
  }

  /** Mostly a page that another one can go into: cycles and pages below links come about rarely enough. */
  #home(pick: Choice, page: string | undefined): string | null {
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

function chosen(names: readonly string[], { n, isThere }: Choice, never: string): string {
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

/** New ids, the same ones for the tree and for the content. */
function numbered(batch: number): (kind: string) => string {
  let n = 0;
  return (kind) => `${kind.slice(0, 3)}_${String(batch).padStart(2, "0")}${String(++n).padStart(2, "0")}`;
}

/** The values under a prefix, by the rest of their keys. */
function under<Value>(entries: ReadonlyMap<string, JsonValue>, prefix: string): Map<string, Value> {
  const found = [...entries].filter(([key]) => key.startsWith(prefix));
  return new Map(found.map(([key, value]) => [key.slice(prefix.length), value as Value]));
}

const textOf = ({ text }: Pick<PlainPage, "text">) => (text ? written(text) : undefined);

/** What the tree holds is what the entries hold. */
function checkTree(content: Content, entries: ReadonlyMap<string, JsonValue>, tree: Tree): void {
  const pages = under<PageEntry>(entries, "p/");
  const shown = (parent: string | null): unknown[] =>
    [...pages]
      .filter(([, page]) => page.parent === parent)
      .sort(([, a], [, b]) => (a.order < b.order ? -1 : 1))
      .map(([id, page]) => [id, page.type, page.title, page.slug, page.description, page.hidden, shown(id)]);
  const wanted = (parent: string | null): unknown[] =>
    tree.children.get(parent)!.map((id) => {
      const page = tree.pages.get(id)!;
      return [id, page.type, page.title, page.slug, page.description, page.hidden, wanted(id)];
    });
  expect(shown(null)).toEqual(wanted(null));
  expect(pages.size).toBe(tree.pages.size);
  for (const [id, page] of tree.pages) {
    const { body, target } = pages.get(id)!;
    expect(body && content.text(body)).toBe(textOf(page));
    expect(target && ("page" in target ? target.page : (target as { url: string }).url)).toBe(page.target);
  }
  const files = [...under<FileEntry>(entries, "f/")].map(([id, it]) => [id, it.name, it.path, content.text(it.object)]);
  expect(files).toEqual([...tree.files].map(([id, it]) => [id, it.name, it.path, it.text]).sort());
  const reusables = [...under<ReusableEntry>(entries, "r/")].map(([id, it]) => [
    id,
    it.title,
    it.path,
    content.text(it.body),
  ]);
  expect(reusables).toEqual([...tree.reusables].map(([id, it]) => [id, it.title, it.path, written(it.text)]).sort());
}

/** The entries that follow from others are those that follow from them now. */
function checkDerived(entries: ReadonlyMap<string, JsonValue>, tree: Tree): void {
  const pages = [...under<PageEntry>(entries, "p/")];
  const children = pages.map(([id, { parent, order }]) => [`${parent ?? "-"}/${order}`, id] as const);
  expect(under(entries, "c/")).toEqual(new Map(children.toSorted()));
  const slugs = [...under<{ page: string; former?: boolean }>(entries, "s/")];
  const current = pages.map(([id, { parent, slug }]) => [`${parent ?? "-"}/${encodeURIComponent(slug)}`, { page: id }]);
  const short = ([key]: readonly unknown[]) => !(key as string).includes("/~") && (key as string).length < 150;
  expect(new Map(slugs.filter((it) => !it[1].former && short(it)))).toEqual(new Map(current.filter(short) as never));
  expect(slugs.filter(([, { former }]) => !former).length).toBe(pages.length);

  const texts = [...tree.pages, ...tree.reusables].flatMap(([id, { text }]) =>
    text && text.headings.length > 0 ? [[id, text] as const] : [],
  );
  const anchored = [...under<AnchorEntry>(entries, "h/")].filter(([, { anchors }]) => anchors.length > 0);
  expect(anchored.map(([id, { anchors, isWhole }]) => [id, anchors, isWhole])).toEqual(
    texts
      .map(([id, text]) => [id, anchorsOf(text), true])
      .toSorted(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)),
  );

  const links = [...under<LinkEntry>(entries, "o/")];
  const told = links.map(([key, { href, to }]) => [key, href, to]);
  const wanted = [...tree.links].flatMap(([id, links]) =>
    links.map(({ href, to }, n) => [`${id}/${String(n).padStart(6, "0")}`, href, to]),
  );
  expect(told).toEqual(wanted.sort());
  expect([...under(entries, "i/").keys()]).toEqual(links.map(([key, { to }]) => `${to}/${key}`).sort());
  const counts = new Map<string, number>();
  for (const [, { to }] of links) counts.set(to, (counts.get(to) ?? 0) + 1);
  expect(under(entries, "t/")).toEqual(counts);

  const paths = [...under<FileEntry>(entries, "f/")].map(([id, { path }]) => [encodeURIComponent(path), { file: id }]);
  const reusable = [...under<ReusableEntry>(entries, "r/")].map(([id, it]) => [
    encodeURIComponent(it.path),
    { reusable: id },
  ]);
  expect(under(entries, "g/").size).toBe(paths.length + reusable.length);
  expect(Object.fromEntries(under(entries, "g/"))).toMatchObject(Object.fromEntries(paths));
}

/** The root tells the contents and nothing of how they came about. */
async function checkRoot(content: Content, entries: ReadonlyMap<string, JsonValue>): Promise<void> {
  expect((await changeMap(createMemorySource(new Map()), null, entries)).root).toBe(content.root);
}

const names = (values: Iterable<readonly [string, unknown]>) => [...values].map(([id]) => id).sort();

/** The difference of two revisions is the difference of the trees. */
async function checkDifference(
  content: Content,
  before: Tree,
  after: Tree,
  touched: ReadonlySet<string>,
): Promise<void> {
  const { changes, counts, more } = await compareRevisions(content.source, content.roots.at(-2)!, content.root);
  expect(more).toBe(0);
  expect(Object.values(counts).reduce((sum, it) => sum + it, 0)).toBe(changes.length);
  // biome-ignore lint/suspicious/noExplicitAny: each kind of change has members of its own, which the test names.
  const of = (type: string) => changes.filter((it) => it.type === type) as any[];
  const pageIds = (type: string) => of(type).map(({ page }) => page.id as string);

  const both = [...after.pages.values()].filter(({ id }) => before.pages.has(id));
  expect(pageIds("page_created")).toEqual(names([...after.pages].filter(([id]) => !before.pages.has(id))));
  expect(pageIds("page_deleted")).toEqual(names([...before.pages].filter(([id]) => !after.pages.has(id))));
  const edited = both.map((page) => ({ id: page.id, attributes: differing(before.pages.get(page.id)!, page) }));
  expect(of("page_edited").map(({ page, attributes }) => ({ id: page.id, attributes }))).toEqual(
    edited.filter(({ attributes }) => attributes.length > 0).sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  for (const { page } of [...of("page_created"), ...of("page_edited"), ...of("page_moved")])
    expect(page.path).toBe(after.pathOf(page.id).join("/"));
  for (const { page } of of("page_deleted")) expect(page.path).toBe(before.pathOf(page.id).join("/"));
  checkMoves(before, after, new Set(pageIds("page_moved")), touched);
  for (const { page, from, to } of of("page_moved")) {
    expect([from.parent, from.path]).toEqual([before.pages.get(page.id)!.parent, before.pathOf(page.id).join("/")]);
    expect([to.parent, to.path]).toEqual([after.pages.get(page.id)!.parent, after.pathOf(page.id).join("/")]);
  }
  checkSets("variable", of, (it) => it.variable.name, before.variables, after.variables);
  checkSets("file", of, (it) => it.file.id, before.files, after.files);
  const told = new Set(
    ["reusable_content_created", "reusable_content_deleted"].flatMap((type) =>
      of(type).map((it) => it.reusableContent.id),
    ),
  );
  const isOneSided = (id: string) => before.reusables.has(id) !== after.reusables.has(id);
  expect([...told].sort()).toEqual(
    [...new Set([...before.reusables.keys(), ...after.reusables.keys()])].filter(isOneSided).sort(),
  );
}

function differing(before: PlainPage, after: PlainPage): string[] {
  const fields = (["title", "slug", "description", "hidden"] as const).filter((name) => before[name] !== after[name]);
  return [...fields, ...(textOf(before) === textOf(after) ? [] : ["document"])].sort();
}

/** Every page in another place was told to be, whichever of two that changed places it was; and none that nobody moved. */
function checkMoves(before: Tree, after: Tree, moved: ReadonlySet<string>, touched: ReadonlySet<string>): void {
  for (const id of moved) expect(touched.has(id)).toBe(true);
  for (const [parent, ids] of after.children) {
    const known = ids.filter((id) => before.pages.has(id));
    for (const id of known) if (before.pages.get(id)!.parent !== parent) expect(moved.has(id)).toBe(true);
    const stayed = known.filter((id) => !moved.has(id));
    expect(stayed).toEqual((before.children.get(parent) ?? []).filter((id) => stayed.includes(id)));
  }
}

function checkSets(
  kind: string,
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  of: (type: string) => any[],
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  nameIn: (it: any) => string,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): void {
  const told = (verb: string) => of(`${kind}_${verb}`).map(nameIn).sort();
  expect(told("created")).toEqual(names([...after].filter(([name]) => !before.has(name))));
  expect(told("deleted")).toEqual(names([...before].filter(([name]) => !after.has(name))));
  const isEdited = ([name, value]: [string, unknown]) => before.has(name) && before.get(name) !== value;
  expect(told("edited")).toEqual(names([...after].filter(isEdited)));
}

/** The pages that a batch moves, by id. */
function movedBy(planned: readonly Planned[]): Set<string> {
  const found = planned.flatMap(({ change }) => {
    const isMove =
      change.operation === "move_page" || (change.operation === "update_page" && ("into" in change || "at" in change));
    return isMove ? [change.page] : [];
  });
  return new Set(found);
}

describe("random batches", () => {
  test("random batches agree with a plain tree and are rejected where it rejects", async () => {
    const seen = { made: 0, refused: new Map<string, number>() };
    const property = fc.asyncProperty(anyPlans, async (plans) => {
      const content = new Content();
      const trees: Tree[] = [new Tree()];
      for (const [batch, plan] of plans.entries()) {
        const before = trees.at(-1)!;
        const planned = settledPlan(before, plan);
        const after = before.copy();
        let wrong: unknown;
        try {
          playBatch(after, planned, { newId: numbered(batch), earlier: trees.at(-2) });
        } catch (error) {
          if (!(error instanceof Wrong)) throw error;
          wrong = { index: error.index, path: error.path };
        }
        const refused = await content
          .apply(
            planned.map((it) => it.change),
            numbered(batch),
          )
          .then(
            () => undefined,
            (error) => {
              if (error instanceof BatchError) return { index: error.index, path: error.path };
              throw error;
            },
          );
        expect(refused).toEqual(wrong);
        if (refused) seen.refused.set(refused.path, (seen.refused.get(refused.path) ?? 0) + 1);
        else {
          trees.push(after);
          seen.made++;
        }
        const entries = await content.entries();
        expect(await createStoredView(content.source, content.root).getVariables()).toEqual(
          Object.fromEntries(trees.at(-1)!.variables),
        );
        checkTree(content, entries, trees.at(-1)!);
        checkDerived(entries, trees.at(-1)!);
        await checkRoot(content, entries);
        if (!refused) await checkDifference(content, before, after, movedBy(planned));
      }
    });
    await fc.assert(property, { numRuns: runs(300) });
    // A test that never refuses, or refuses nearly all, has looked at nothing.
    expect(seen.made).toBeGreaterThan(runs(400));
    for (const path of ["page", "into", "slug", "target"]) expect(seen.refused.has(path), path).toBe(true);
  });

  test("control: a lost, wrong or extra entry is detected", async () => {
    const content = new Content();
    const tree = new Tree();
    const text = { headings: ["Part one"], links: ["https://example.com/", "#part-one", "/files/fil_0003"] };
    const planned: Planned[] = [
      { change: { operation: "insert_page", title: "Guide", document: { markdown: written(text) } }, text },
      { change: { operation: "insert_page", title: "Guide", document: { markdown: written(text) } }, text },
      { change: { operation: "insert_files", files: [{ name: "a.txt", bytes: new Uint8Array(1) }] } },
    ];
    playBatch(tree, planned, { newId: numbered(0), earlier: undefined });
    await content.apply(
      planned.map((it) => it.change),
      numbered(0),
    );
    const entries = await content.entries();
    checkDerived(entries, tree);
    const rows = [...entries.keys()].filter((key) => /^[cshoitg]/.test(key));
    expect(new Set(rows.map((key) => key[0])).size).toBe(7);
    for (const key of rows) {
      const without = new Map(entries);
      without.delete(key);
      expect(() => checkDerived(without, tree), key).toThrow();
      const more = new Map(entries).set(`${key}x`, entries.get(key)!);
      expect(() => checkDerived(more, tree), `${key}x`).toThrow();
    }
    const miscounted = new Map(entries).set("t/f:fil_0003", 3);
    expect(() => checkDerived(miscounted, tree)).toThrow();
  });
});
