// What a host says of one of its addresses: by oEmbed, else by the head of the page. Of each answer a bounded beginning is
// read. Everything that comes back is text of strangers.

import { omitUndefined } from "../../utils/objects";
import { readStreamStart } from "../../utils/streams";
import { decodeHtml } from "../html/bytes";
import { frameIn } from "./frame";
import { knownEndpoint, type OEmbed, readOEmbed } from "./oembed";
import { type PageHead, pageHead } from "./page-head";
import { hasPublicName, publicAddress } from "./public-name";

/** How other hosts are reached. */
export interface Way {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** How long one answer may take, with its redirects. So an oEmbed answer that does not come leaves the page. */
  readonly answerMs: number;
}

/** How an address is shown: its title, the name of its site, perhaps an icon, and perhaps a frame. */
export interface Described {
  readonly title: string;
  readonly site: string;
  readonly icon?: string;
  /** A frame, as HTML that was written here. */
  readonly html?: string;
}

/** The name by which hosts know us. */
const AGENT = "Octavo (link preview)";
/** How much of a page is read. Its head stands at its beginning. */
const MAX_PAGE_BYTES = 256 * 1024;
const MAX_OEMBED_BYTES = 128 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_TITLE = 300;
const MAX_SITE = 100;

/** What is known of an address without asking anybody: the name of its host. */
export function describedByHost({ hostname }: URL): Described {
  const name = hostname.replace(/^www\./, "");
  return { title: name, site: name };
}

/** Asks the host of an address; undefined when it has no public name, or does not answer. */
export async function describe(url: URL, way: Way): Promise<Described | undefined> {
  if (!hasPublicName(url)) return undefined;
  const endpoint = knownEndpoint(url);
  const said = endpoint === undefined ? undefined : await askOEmbed(endpoint, way);
  if (said) return described(url, {}, said);
  const page = await askPage(url, way);
  return page && described(url, page, page.oEmbed && (await askOEmbed(page.oEmbed.href, way)));
}

function described(url: URL, page: PageHead, said: OEmbed | undefined): Described {
  const byHost = describedByHost(url);
  const title = cut(said?.title || page.title, MAX_TITLE) ?? byHost.title;
  const html = said?.html === undefined ? undefined : frameIn(said.html, title);
  return {
    title,
    site: cut(page.site || said?.site, MAX_SITE) ?? byHost.site,
    ...omitUndefined({ icon: page.icon, html }),
  };
}

/** A text that is not empty, with at most this many characters. */
function cut(text: string | undefined, most: number): string | undefined {
  return text ? [...text.slice(0, 2 * most)].slice(0, most).join("") : undefined;
}

async function askPage(url: URL, way: Way): Promise<PageHead | undefined> {
  const answer = await ask(url.href, "text/html, application/xhtml+xml;q=0.9, */*;q=0.1", MAX_PAGE_BYTES, way);
  if (!answer) return undefined;
  // What is no page, such as a picture, was found, but says nothing of itself.
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(answer.type)) return {};
  return pageHead(decodeHtml(answer.bytes, answer.type), answer.url);
}

async function askOEmbed(url: string, way: Way): Promise<OEmbed | undefined> {
  const answer = await ask(url, "application/json", MAX_OEMBED_BYTES, way);
  return answer && readOEmbed(new TextDecoder().decode(answer.bytes));
}

/** The beginning of an answer; undefined when there is none, for whatever reason. */
async function ask(url: string, accept: string, maxBytes: number, way: Way) {
  try {
    const signal = AbortSignal.any([way.signal, AbortSignal.timeout(way.answerMs)]);
    const answer = await follow(url, { accept, "user-agent": AGENT }, { ...way, signal });
    if (!answer) return undefined;
    const { response } = answer;
    if (!response.ok) {
      await response.body?.cancel().catch(() => {});
      return undefined;
    }
    const type = response.headers.get("content-type") ?? "";
    return { bytes: await readStreamStart(response.body, maxBytes), type, url: answer.url };
  } catch {
    // Why it failed may tell about the inside of a network, and whoever reads a page cannot do anything about it.
    return undefined;
  }
}

/** The answer at the end of redirects. They are followed here, because each must lead to a public name as well. */
async function follow(from: string, headers: Record<string, string>, { fetch, signal }: Way) {
  let url = from;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await fetch(url, { headers, signal, redirect: "manual" });
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location === null) return { response, url };
    await response.body?.cancel().catch(() => {});
    const next = publicAddress(location, url);
    if (!next) return undefined;
    url = next.href;
  }
  return undefined;
}
