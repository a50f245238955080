// The expected result of a batch of changes: a plain tree of pages in nested lists, with plain maps beside it. It
// implements what is documented, and shares no code with revisions.

import type { BatchChange } from "../../../src/content/revision/changes";
import { linkTargets } from "../../../src/content/revision/entries";
import { addNumberToSlug, createSlug, isSlug } from "../../../src/content/slugs";

/** A text in its parts; the links are what stands between their brackets. */
export interface Text {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly headings: readonly string[];
  readonly links: readonly string[];
}

/** A text as Markdown. */
export function written({ title, description, headings, links }: Text): string {
  const front = description === undefined ? "" : `---\ndescription: ${description}\n---\n\n`;
  const top = title === undefined ? "" : `# ${title}\n\n`;
  const parts = headings.map((heading) => `## ${heading}\n\n`).join("");
  return `${front}${top}${links.map((href) => `[there](${href})\n\n`).join("")}${parts}Some words.\n`;
}

/** The anchors of a text's headings. */
export const anchorsOf = ({ headings }: Text) => headings.map((heading) => createSlug(heading));

export interface PlainPage {
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

export interface PlainLink {
  readonly href: string;
  readonly to: string;
  readonly isFound: boolean;
}

/** A change, with the text that it brings in its parts. */
export interface Planned {
  readonly change: BatchChange;
  readonly text?: Text;
}

/** A change that has to be refused, and which of its members is wrong. */
export class Wrong extends Error {
  constructor(
    readonly index: number,
    readonly path: string,
  ) {
    super(`${index}.${path}`);
  }
}

type Fields = { title?: string; slug?: string; description?: string | null; hidden?: boolean };
type Where = { into?: string | null | undefined; at?: number | undefined };

export class Tree {
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
export function playBatch(
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
