// A small renderer. It walks a published site by the operations for visitors alone, and gathers everything that it finds.

import { expect } from "vitest";
import type { Answer } from "../../support/setting";

/** How the renderer reaches the API. */
export type Fetch = (token: string | null, route: string, send?: unknown) => Promise<Answer>;

/** What a visitor finds on a site. */
export interface Walked {
  /** The texts of the pages, by their paths. */
  readonly pages: Map<string, string>;
  /** The bytes of the files, by their names. */
  readonly files: Map<string, string>;
  readonly reusables: Map<string, string>;
  /** The types of all pages. */
  readonly types: Set<string>;
  readonly token: string;
}

interface PageNode {
  readonly id: string;
  readonly type: string;
  readonly path: string;
  readonly documentId?: string;
  readonly pages: readonly PageNode[];
}

/** Resolves a URL, following redirects of the site. */
export async function arrive(ask: Fetch, url: string, visitor: object = {}) {
  let { status, body } = await ask(null, "POST /v1/urls/published", { url, visitor, redirectOnError: true });
  for (let hop = 0; status === 200 && body.target === "content" && hop < 5; hop++)
    ({ status, body } = await ask(null, "POST /v1/urls/published", { url: body.redirect, visitor }));
  return { status, body };
}

/** Walks a whole site as one visitor. */
export async function walk(ask: Fetch, url: string, visitor: object = {}): Promise<Walked> {
  const { body: resolved } = await arrive(ask, url, visitor);
  const { apiToken: token, organization, site } = resolved;
  const walked = { pages: new Map(), files: new Map(), reusables: new Map(), types: new Set<string>(), token };
  const get = async (path: string) => {
    const answer = await ask(token, `GET /v1${path}`);
    expect(answer.status, path).toBe(200);
    return answer.body;
  };
  const profile = await get(`/orgs/${organization}/sites/${site}/published`);
  for (const { space } of spacesIn(profile.structure.structure)) await walkSpace(ask, get, walked, space.id);
  return walked;
}

interface StructureItem {
  readonly space?: { readonly id: string };
  readonly sections?: readonly StructureItem[];
  readonly siteSpaces?: readonly StructureItem[];
}

function spacesIn(items: readonly StructureItem[]): { readonly space: { readonly id: string } }[] {
  return items.flatMap((item) =>
    item.space ? [{ space: item.space }] : spacesIn([...(item.sections ?? []), ...(item.siteSpaces ?? [])]),
  );
}

async function walkSpace(
  ask: Fetch,
  get: (path: string) => Promise<Answer["body"]>,
  walked: Walked,
  space: string,
): Promise<void> {
  const { revision } = await get(`/spaces/${space}`);
  const at = `/spaces/${space}/revisions/${revision}`;
  const all = await get(at);
  expect((await get(`${at}/pages`)).pages).toEqual(all.pages);
  const refs: string[] = [];
  for (const page of nodesIn(all.pages)) {
    walked.types.add(page.type);
    if (page.documentId === undefined) continue;
    const document = await get(`${at}/page/${page.id}/document`);
    expect(await get(`/spaces/${space}/documents/${page.documentId}`)).toEqual(document);
    expect((await get(`${at}/path/${page.path}?format=document`)).document).toEqual(document);
    walked.pages.set(page.path, JSON.stringify(document));
    refs.push(...filesIn(document));
  }
  for (const { id, title, document } of all.reusableContents) {
    const read = await get(`/spaces/${space}/documents/${document}`);
    expect(await get(`${at}/reusable-contents/${id}/document`)).toEqual(read);
    walked.reusables.set(title, JSON.stringify(read));
  }
  for (const file of all.files) {
    expect(await get(`${at}/files/${file.id}`)).toEqual(file);
    const { pathname, host } = new URL(file.downloadURL);
    // A computed file is elsewhere.
    const bytes = host === "localhost:3000" ? await ask(null, `GET ${pathname}`) : { status: 200, body: "elsewhere" };
    expect(bytes.status).toBe(200);
    walked.files.set(file.name, bytes.body);
  }
  // Whatever a document shows can be fetched.
  const known = all.files.map(({ id }: { id: string }) => id);
  expect(refs.filter((id) => !known.includes(id))).toEqual([]);
}

function nodesIn(nodes: readonly PageNode[]): PageNode[] {
  return nodes.flatMap((node) => [node, ...nodesIn(node.pages)]);
}

/** The files that a document refers to. */
function filesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const ref = value as { readonly kind?: unknown; readonly file?: unknown };
  const own = ref.kind === "file" && typeof ref.file === "string" ? [ref.file] : [];
  return [...own, ...Object.values(value).flatMap(filesIn)];
}
