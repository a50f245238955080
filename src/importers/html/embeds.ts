// Embeds: content of another site that a page shows, such as a video, a drawing or a playground.

import type { Block } from "../../content/document";
import { createTextNode } from "../../content/markdown/document-parts";
import { tryParseUrl } from "../../utils/url";
import { createParagraph } from "./block-context";
import { collapseWhitespace, filterElements, getAttribute } from "./elements";
import type { PageUrls } from "./page-urls";
import type { HtmlElement } from "./parse-html";

/** Hosts, with all their subdomains, whose frames are worth showing. */
const EMBEDDED_HOSTS = [
  ...["youtube\\.com", "youtube-nocookie\\.com", "youtu\\.be", "vimeo\\.com", "loom\\.com", "wistia\\.(?:com|net)"],
  ...["dailymotion\\.com", "twitch\\.tv", "codepen\\.io", "codesandbox\\.io", "stackblitz\\.com", "jsfiddle\\.net"],
  ...["replit\\.com", "figma\\.com", "miro\\.com", "lucid\\.app", "whimsical\\.com", "docs\\.google\\.com"],
  ...["drive\\.google\\.com", "airtable\\.com", "typeform\\.com", "spotify\\.com", "soundcloud\\.com"],
  ...["asciinema\\.org", "arcade\\.software", "storylane\\.io", "sketchfab\\.com", "observablehq\\.com"],
  "calendly\\.com",
];
const EMBEDDED_HOST = new RegExp(`(?:^|\\.)(?:${EMBEDDED_HOSTS.join("|")})$`);
/** Hosts whose frames count readers or ask them for something. */
const UNWANTED_HOSTS =
  /(?:^|\.)(?:googletagmanager\.com|doubleclick\.net|google-analytics\.com|facebook\.com|hotjar\.com|recaptcha\.net|ads\.[^.]+\.[^.]+)$/;

/** Reads an element that shows content from elsewhere: as an embed if that can be shown, else as a link. */
export function readEmbed(element: HtmlElement, urls: PageUrls): Block[] {
  let src: string;
  if (element.name === "lite-youtube") {
    const video = getAttribute(element, "videoid");
    src = /^[\w-]{1,40}$/.test(video) ? `https://www.youtube.com/watch?v=${video}` : "";
  } else {
    const source = filterElements(element.children).find(({ name }) => name === "source");
    src = getAttribute(element, "src") || getAttribute(element, "data-src") || getAttribute(source ?? element, "src");
  }

  const href = urls.resolveLink(src);
  if (href === undefined) return [];
  const isFrame = element.name === "iframe";
  const isWeb = /^https?:/i.test(href);
  const url = isWeb ? tryParseUrl(href) : undefined;
  if (isWeb ? !url || UNWANTED_HOSTS.test(url.hostname) : isFrame) return [];
  if (!url || (isFrame && !EMBEDDED_HOST.test(url.hostname))) {
    const title = collapseWhitespace(getAttribute(element, "title")).slice(0, 200) || href;
    const data = { ref: { kind: "url" as const, url: href } };
    const nodes = [createTextNode(title)];
    return [createParagraph([{ object: "inline", type: "link", isVoid: false, data, nodes }])];
  }
  // The URL of a player becomes that of the page of its video.
  let pageUrl = url.href;
  const video = /^\/embed\/([\w-]{1,40})/.exec(url.pathname)?.[1];
  const clip = /^\/video\/(\d{1,20})/.exec(url.pathname)?.[1];
  if (video && /(?:^|\.)youtube(?:-nocookie)?\.com$/.test(url.hostname))
    pageUrl = `https://www.youtube.com/watch?v=${video}`;
  else if (clip && url.hostname === "player.vimeo.com") pageUrl = `https://vimeo.com/${clip}`;
  return [{ object: "block", type: "embed", isVoid: true, data: { url: pageUrl } }];
}
