// For all conditions and visitors, the structure, the lists, the tree, the pages, the search and the URLs of a site
// show the same set of pages. It is what the conditions allow, computed here in another way.

import fc from "fast-check";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { type Setting, setUp } from "../../support/setting";
import { runs } from "../../support/test-length";
import { inSeconds, schema, sign } from "./site-stage";

interface Claims {
  readonly isBeta?: boolean;
  readonly plan?: "free" | "pro";
  readonly seats?: number;
}

/** Conditions, and the same said in code; what fails is not met. */
const conditions: readonly (readonly [source: string | null, holds: (claims: Claims) => boolean])[] = [
  [null, () => true],
  ["visitor.claims.isBeta", ({ isBeta }) => isBeta === true],
  ["!visitor.claims.isBeta", ({ isBeta }) => isBeta !== true],
  ['visitor.claims.plan === "pro"', ({ plan }) => plan === "pro"],
  ["visitor.claims.seats > 2", ({ seats }) => seats !== undefined && seats > 2],
  ["visitor.claims.nobody.knows", () => false],
  ['"plan" in visitor.claims', ({ plan }) => plan !== undefined],
];
const condition = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.nat(conditions.length - 1) },
);

interface PagePlan {
  readonly condition: number;
  /** A condition around the words that the page alone has. */
  readonly block: number;
  readonly children: readonly PagePlan[];
}

const { page } = fc.letrec<{ page: PagePlan }>((tie) => ({
  page: fc.record({
    condition,
    block: condition,
    children: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie("page"), { maxLength: 2 })),
  }),
}));
const siteSpace = fc.record({ condition, pages: fc.array(page, { minLength: 1, maxLength: 3 }) });
const section = fc.record({ condition, siteSpaces: fc.array(siteSpace, { minLength: 1, maxLength: 2 }) });
const plans = fc.array(section, { minLength: 1, maxLength: 3 });
const claims = fc.record(
  { isBeta: fc.boolean(), plan: fc.constantFrom("free" as const, "pro" as const), seats: fc.nat(4) },
  { requiredKeys: [] },
);

type Plan = typeof plans extends fc.Arbitrary<infer Value> ? Value : never;

/** A page as it stands on the site: all conditions that it is under, and the one of its own words. */
interface Placed {
  readonly id: string;
  readonly siteSpace: string;
  readonly word: string;
  readonly under: readonly number[];
  readonly block: number;
  readonly space: string;
  /** Shown in the block. */
  readonly file: string;
  /** As members name it. */
  readonly document: string;
}

const holds = (index: number, claims: Claims) => conditions[index]![1](claims);
const sourceOf = (index: number) => conditions[index]![0];
const conditioned = (index: number) => (sourceOf(index) === null ? {} : { condition: sourceOf(index) });

/** A word that no other resembles. */
function wordFor(number: number): string {
  return `quux${[...String(number).padStart(3, "0")].map((digit) => "bcdfghjklm"[Number(digit)]!.repeat(3)).join("")}`;
}

async function build({ ask, org }: Setting, plan: Plan) {
  const placed: Placed[] = [];
  const siteSpaces = new Map<string, readonly number[]>();
  const made = await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", visibility: "public" });
  const at = `/v1/orgs/${org}/sites/${made.body.id}`;
  const fill = async (space: string, onSite: string, pages: readonly PagePlan[], under: readonly number[]) => {
    const changes: object[] = [];
    const files: object[] = [];
    const refs: Omit<Placed, "id" | "file" | "document">[] = [];
    const lay = (page: PagePlan, into: string | undefined, above: readonly number[]) => {
      const word = wordFor(placed.length + refs.length);
      const source = sourceOf(page.block);
      const ref = `p${refs.length}`;
      const own = `Own ${word}, and ![a picture](./f${ref}).`;
      const words = source === null ? own : `{% if ${source} %}\n${own}\n{% endif %}`;
      files.push({ name: `${ref}.txt`, contentType: "text/plain", base64: btoa(word), ref: `f${ref}` });
      const place = into === undefined ? {} : { into };
      const document = { markdown: `Common walrus.\n\n${words}` };
      changes.push({
        operation: "insert_page",
        title: `Page ${ref}`,
        ref,
        document,
        ...place,
        ...conditioned(page.condition),
      });
      const mine = [...above, page.condition];
      refs.push({ siteSpace: onSite, space, word, under: mine, block: page.block });
      for (const child of page.children) lay(child, ref, mine);
    };
    for (const page of pages) lay(page, undefined, under);
    const inserted = { operation: "insert_files", files };
    const answer = await ask("admin", `POST /v1/spaces/${space}/content`, { changes: [inserted, ...changes] });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const made = answer.body.changes.filter((it: { page?: unknown }) => it.page !== undefined);
    for (const [i, ref] of refs.entries()) {
      const { id } = made[i].page;
      const file = answer.body.insertedFiles[i].id;
      const document = (await ask("admin", `GET /v1/spaces/${space}/content/page/${id}`)).body.documentId;
      placed.push({ ...ref, id, file, document });
    }
  };
  for (const section of plan) {
    let inside: string | undefined;
    for (const [i, { condition, pages }] of section.siteSpaces.entries()) {
      const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: `Space ${i}` })).body.id;
      const answer =
        inside === undefined
          ? await ask("admin", `POST ${at}/sections`, { spaceId: space, title: "Section" })
          : await ask("admin", `POST ${at}/site-spaces`, { spaceId: space, sectionId: inside });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      const id = inside === undefined ? answer.body.siteSpaces[0].id : answer.body.id;
      if (inside === undefined && sourceOf(section.condition) !== null)
        await ask("admin", `PATCH ${at}/sections/${answer.body.id}`, conditioned(section.condition));
      inside ??= answer.body.id as string;
      if (sourceOf(condition) !== null) await ask("admin", `PATCH ${at}/site-spaces/${id}`, conditioned(condition));
      siteSpaces.set(id, [section.condition, condition]);
      await fill(space, id, pages, [section.condition, condition]);
    }
  }
  await ask("admin", `PATCH ${at}`, { adaptiveContent: { enabled: true } });
  await ask("admin", `PUT ${at}/adaptive-schema`, { jsonSchema: schema });
  await ask("admin", `POST ${at}/publish`);
  const { privateKey } = (await ask("admin", `POST ${at}/publishing/auth/regenerate`)).body;
  /** By page, once somebody has seen it. */
  const urls = new Map<string, string>();
  return { at, placed, siteSpaces, urls, privateKey: privateKey as string };
}

type Node = { id: string; pages: Node[]; more?: boolean; urls: { published: string } };
const nodesIn = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...nodesIn(node.pages)]);
const bare = (nodes: readonly Node[]): object[] =>
  nodes.map(({ id, pages, more }) => ({ id, pages: bare(pages), ...(more ? { more } : {}) }));
const isUnder = (nodes: readonly Node[], id: string): boolean => nodesIn(nodes).some((node) => node.id === id);
/** What a reader of a page sees of a tree without groups: what is beside the pages on the way, and below the page. */
const alongIn = (nodes: readonly Node[], id: string): Node[] =>
  nodes.map((node) => {
    if (node.id === id) return { ...node, pages: closed(node.pages) };
    return isUnder(node.pages, id) ? { ...node, pages: alongIn(node.pages, id) } : closed([node])[0]!;
  });
const closed = (nodes: readonly Node[]): Node[] =>
  nodes.map((node) => ({ ...node, pages: [], ...(node.pages.length > 0 ? { more: true } : {}) }));
const sorted = (ids: Iterable<string>) => [...ids].sort();

async function check(setting: Setting, built: Awaited<ReturnType<typeof build>>, visitor: Claims): Promise<number> {
  const { ask } = setting;
  const { at, placed, siteSpaces, privateKey } = built;
  const jwt = await sign({ clock: setting.clock, privateKey }, visitor, { exp: inSeconds(setting, 60_000) });
  const query = `?visitorToken=${jwt}`;
  const look = async (route: string, send?: unknown) => ask(null, route, send);
  const seen = [...siteSpaces].filter(([, under]) => under.every((it) => holds(it, visitor))).map(([id]) => id);
  const pages = placed.filter(({ under }) => under.every((it) => holds(it, visitor)));

  const profile = (await look(`GET ${at}/published${query}`)).body;
  const shown = profile.structure.structure.flatMap((it: { siteSpaces: { id: string }[] }) =>
    it.siteSpaces.map(({ id }) => id),
  );
  expect(sorted(shown)).toEqual(sorted(seen));
  expect(profile.site.siteSpaces).toBe(seen.length);
  const listed = (await look(`GET ${at}/site-spaces${query}&limit=100`)).body;
  expect(sorted(listed.items.map((it: { id: string }) => it.id))).toEqual(sorted(seen));
  expect(listed.count).toBe(seen.length);

  const inTrees: string[] = [];
  const trees = new Map<string, readonly Node[]>();
  for (const id of siteSpaces.keys()) {
    const tree = await look(`GET ${at}/site-spaces/${id}/pages${query}`);
    expect(tree.status).toBe(seen.includes(id) ? 200 : 404);
    if (tree.status === 200) trees.set(id, tree.body.pages);
    for (const node of tree.status === 200 ? nodesIn(tree.body.pages) : []) {
      inTrees.push(node.id);
      built.urls.set(node.id, node.urls.published);
    }
  }
  expect(sorted(inTrees)).toEqual(sorted(pages.map(({ id }) => id)));

  const found = (await look(`POST ${at}/search${query}&limit=100`, { query: "walrus" })).body;
  expect(sorted(pagesIn(found))).toEqual(sorted(inTrees));

  for (const { id, siteSpace, word, block, file } of placed) {
    const isSeen = inTrees.includes(id);
    const isRead = isSeen && holds(block, visitor);
    const page = await look(`GET ${at}/site-spaces/${siteSpace}/page/${id}${query}`);
    expect(page.status).toBe(isSeen ? 200 : 404);
    expect(JSON.stringify(page.body).includes(word)).toBe(isRead);
    const along = await look(`GET ${at}/site-spaces/${siteSpace}/pages${query}&along=${id}`);
    expect(along.status).toBe(isSeen ? 200 : 404);
    if (isSeen) {
      const tree = trees.get(siteSpace)!;
      expect(bare(along.body.pages)).toEqual(bare(alongIn(tree, id)));
      const order = nodesIn(tree).map((node) => node.id);
      const beside = [page.body.previous?.id, page.body.next?.id];
      expect(beside).toEqual([order[order.indexOf(id) - 1], order[order.indexOf(id) + 1]]);
      const linked = await look(`GET ${at}/site-spaces/${siteSpace}/page/${id}${query}&references=true&pages=false`);
      expect(linked.body.references.map((it: { file: { id: string } }) => it.file.id)).toEqual(isRead ? [file] : []);
    }
    const own = (await look(`POST ${at}/search${query}`, { query: word })).body;
    expect(pagesIn(own)).toEqual(isRead ? [id] : []);
    expect(own.count).toBe(isRead ? 1 : 0);
    const url = built.urls.get(id);
    if (url === undefined) continue;
    const resolved = await look("POST /v1/urls/published", { url, visitorToken: jwt });
    if (isSeen) expect(resolved.body).toMatchObject({ type: "content", page: id, siteSpace });
    else {
      // A hidden page is as one that is not there, whether its space is seen or not.
      const absent = await look("POST /v1/urls/published", { url: `${url}-none`, visitorToken: jwt });
      expect(resolved.status, url).toBe(absent.status);
      expect([resolved.body.complete, resolved.body.page]).toEqual([absent.body.complete, absent.body.page]);
    }
  }
  await checkToken(setting, built, visitor, { url: profile.site.urls.published, jwt, pages });
  return placed.length - pages.length;
}

/** The same by the token of the visitor, and by the reads of spaces. */
async function checkToken(
  { ask, askWith }: Setting,
  { placed }: Awaited<ReturnType<typeof build>>,
  visitor: Claims,
  seen: { readonly url: string; readonly jwt: string; readonly pages: readonly Placed[] },
): Promise<void> {
  const resolve = async (url: string) =>
    (await ask(null, "POST /v1/urls/published", { url, visitor: { jwtToken: seen.jwt } })).body;
  let resolved = await resolve(seen.url);
  // The default is hidden from this visitor, and another space stands in.
  if (resolved.type === "redirect") resolved = await resolve(resolved.redirect);
  if (resolved.apiToken === undefined) return expect(seen.pages).toEqual([]);
  const look = (path: string) => askWith(resolved.apiToken, `GET /v1/spaces/${path}`);

  const spaces = new Map(placed.map(({ siteSpace, space }) => [space, siteSpace]));
  const inTrees: string[] = [];
  const files: string[] = [];
  for (const space of spaces.keys()) {
    const content = await look(`${space}/content`);
    if (content.status === 404) continue;
    expect((await look(`${space}/revisions/${content.body.id}`)).body).toEqual(content.body);
    inTrees.push(...nodesIn(content.body.pages).map(({ id }) => id));
    files.push(...content.body.files.map((it: { id: string }) => it.id));
    expect((await look(`${space}/content/files`)).body.items).toEqual(content.body.files);
    expect((await look(`${space}/content/pages`)).body.pages).toEqual(content.body.pages);
  }
  expect(sorted(inTrees)).toEqual(sorted(seen.pages.map(({ id }) => id)));
  const read = seen.pages.filter(({ block }) => holds(block, visitor));
  expect(sorted(files)).toEqual(sorted(read.map(({ file }) => file)));

  for (const { id, space, word, file, document } of placed) {
    const isSeen = inTrees.includes(id);
    const isRead = files.includes(file);
    for (const path of [`content/page/${id}`, `content/page/${id}/document`]) {
      const page = await look(`${space}/${path}`);
      expect(page.status).toBe(isSeen ? 200 : 404);
      expect(JSON.stringify(page.body).includes(word)).toBe(isRead);
    }
    expect((await look(`${space}/content/files/${file}`)).status).toBe(isRead ? 200 : 404);
    // The id that members have for the document says more than a visitor may know, and opens nothing.
    expect((await look(`${space}/documents/${document}`)).status).toBe(404);
  }
}

test("what a visitor sees is one set, whichever way it is requested", async () => {
  let hidden = 0;
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(plans, fc.array(claims, { minLength: 2, maxLength: 3 }), async (plan, visitors) => {
      const setting = await setUp(memoryStorage());
      const built = await build(setting, plan);
      // Twice, for the URLs that somebody else has seen.
      for (const visitor of [...visitors, ...visitors]) {
        const kept = await check(setting, built, visitor);
        hidden += kept;
        shown += built.placed.length - kept;
      }
    }),
    { numRuns: runs(16) },
  );
  // Without both, nothing above could have failed.
  expect(hidden).toBeGreaterThan(10);
  expect(shown).toBeGreaterThan(10);
});

test("control: the comparison fails for the wrong visitor", async () => {
  const setting = await setUp(memoryStorage());
  const plan = [{ condition: 0, siteSpaces: [{ condition: 0, pages: [{ condition: 1, block: 0, children: [] }] }] }];
  const built = await build(setting, plan);
  await check(setting, built, { isBeta: true });
  await check(setting, built, {});
  const others = { ...built, placed: built.placed.map((it) => ({ ...it, under: it.under.map(() => 0) })) };
  await expect(check(setting, others, {})).rejects.toThrow();
});

/** The pages that a search found, of all spaces. */
function pagesIn(found: { items: { pages: { id: string }[] }[] }): string[] {
  return found.items.flatMap(({ pages }) => pages.map(({ id }) => id));
}
