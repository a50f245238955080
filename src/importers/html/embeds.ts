// What a page shows of another site: a video, a drawing, something to try out.

import type { Block } from "../../content/document";
import { textNode } from "../../content/markdown/reader/leaves";
import { tryParseUrl } from "../../utils/url";
import type { Addresses } from "./addresses";
import { attribute, elementsIn, oneLine } from "./looking";
import type { Element } from "./tree";

/** Hosts, with all below them, whose frames are something to see. */
const EMBEDDED =
  /(?:^|\.)(?:youtube\.com|youtube-nocookie\.com|youtu\.be|vimeo\.com|loom\.com|wistia\.(?:com|net)|dailymotion\.com|twitch\.tv|codepen\.io|codesandbox\.io|stackblitz\.com|jsfiddle\.net|replit\.com|figma\.com|miro\.com|lucid\.app|whimsical\.com|docs\.google\.com|drive\.google\.com|airtable\.com|typeform\.com|spotify\.com|soundcloud\.com|asciinema\.org|arcade\.software|storylane\.io|sketchfab\.com|observablehq\.com|calendly\.com)$/;
/** Hosts whose frames count readers or ask them for something. */
const UNWANTED =
  /(?:^|\.)(?:googletagmanager\.com|doubleclick\.net|google-analytics\.com|facebook\.com|hotjar\.com|recaptcha\.net|ads\.[^.]+\.[^.]+)$/;

/** An element that shows something from elsewhere, as an embed where that can be shown, else as a link. */
export function embedOf(element: Element, addresses: Addresses): Block[] {
  const url = addresses.link(sourceOf(element));
  if (url === undefined) return [];
  if (!/^https?:/i.test(url)) return element.name === "iframe" ? [] : [linkTo(url, element)];
  const address = tryParseUrl(url);
  if (!address) return [];
  if (UNWANTED.test(address.hostname)) return [];
  if (element.name !== "iframe" || EMBEDDED.test(address.hostname))
    return [{ object: "block", type: "embed", isVoid: true, data: { url: watchable(address) } }];
  return [linkTo(url, element)];
}

function sourceOf(element: Element): string {
  if (element.name === "lite-youtube") {
    const video = attribute(element, "videoid");
    return /^[\w-]{1,40}$/.test(video) ? `https://www.youtube.com/watch?v=${video}` : "";
  }
  const own = attribute(element, "src") || attribute(element, "data-src");
  return own || attribute(elementsIn(element.children).find(({ name }) => name === "source") ?? element, "src");
}

/** The page of a video, from the address of its player. */
function watchable(url: URL): string {
  const video = /^\/embed\/([\w-]{1,40})/.exec(url.pathname)?.[1];
  if (video && /(?:^|\.)youtube(?:-nocookie)?\.com$/.test(url.hostname))
    return `https://www.youtube.com/watch?v=${video}`;
  const clip = /^\/video\/(\d{1,20})/.exec(url.pathname)?.[1];
  return clip && url.hostname === "player.vimeo.com" ? `https://vimeo.com/${clip}` : url.href;
}

function linkTo(url: string, element: Element): Block {
  const title = oneLine(attribute(element, "title")).slice(0, 200) || url;
  const link = {
    object: "inline",
    type: "link",
    isVoid: false,
    data: { ref: { kind: "url", url } },
    nodes: [textNode(title)],
  } as const;
  return { object: "block", type: "paragraph", isVoid: false, data: {}, nodes: [{ ...link, nodes: [...link.nodes] }] };
}
