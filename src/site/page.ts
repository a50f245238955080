// A page of content: what the API gives of it, put into the frame of its site.

import type { Block } from "../content/document";
import { html } from "../utils/html";
import { pageAnswer } from "./answer";
import { articleOf, wayTo } from "./article";
import { assetSources } from "./assets";
import { drawBlocks } from "./blocks/blocks";
import { frameOf } from "./frame/frame";
import { themeOf } from "./frame/theme";
import { machineHead } from "./machines/head";
import { isIndexedPage, isIndexedSite } from "./machines/listed";
import { outlineOf } from "./outline";
import { referencesOf } from "./references";
import { setScene } from "./set-scene";
import type { KeptResponse } from "./shelf";
import type { Visit } from "./visit";

/** The page that was found; undefined where it went away meanwhile. */
export async function contentPage(visit: Visit, pageId: string): Promise<KeptResponse | undefined> {
  const [page, tree] = await Promise.all([visit.page(pageId, "document"), visit.tree(pageId)]);
  if (!page) return undefined;
  const way = wayTo(tree, pageId);
  const nodes = (page.document?.nodes ?? []) as Block[];
  const references = referencesOf(page.references ?? [], visit);
  const { layout } = page;
  const { scene, notes, others } = await setScene(visit, page, references);
  const body = drawBlocks(nodes, scene);
  const text = frameOf(visit, {
    tree,
    way,
    outline: layout?.outline === false ? [] : outlineOf(nodes, others.heading),
    page: page.id,
    title: page.title,
    description: page.description,
    canonical: page.urls.published,
    isIndexed: isIndexedSite(visit) && isIndexedPage(page, way),
    more: await machineHead(visit, page, way),
    layout,
    needsFullScript: others.needsFullScript,
    main: html`${articleOf(page, { way, references, body: html`${body}${others.form(scene)}${notes}` }, visit)}${others.scripts}`,
  });
  return pageAnswer(text, {
    styles: [themeOf(visit.look)],
    ownScripts: assetSources(visit),
    ...others.allowed,
    holders: visit.isPublic ? "everybody" : "visitor",
  });
}
