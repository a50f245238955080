// The embed URLs of known hosts. Most other hosts refuse to be shown in a frame, so their pages stay links.

import { tryParseUrl } from "../../utils/url";

type EmbedRule = readonly [host: RegExp, path: RegExp, buildEmbedUrl: (match: RegExpExecArray, url: URL) => string];

const YOUTUBE_EMBEDS = "https://www.youtube-nocookie.com/embed/";

const EMBED_RULES: readonly EmbedRule[] = [
  [
    /^(?:(?:www|m|music)\.)?youtube\.com$/,
    /^\/(?:embed|shorts|live)\/([\w-]{1,40})/,
    ([, id]) => `${YOUTUBE_EMBEDS}${id}`,
  ],
  [
    /^(?:(?:www|m|music)\.)?youtube\.com$/,
    /^\/watch/,
    (_, url) => {
      const id = url.searchParams.get("v") ?? "";
      return /^[\w-]{1,40}$/.test(id) ? `${YOUTUBE_EMBEDS}${id}` : "";
    },
  ],
  [/^youtu\.be$/, /^\/([\w-]{1,40})/, ([, id]) => `${YOUTUBE_EMBEDS}${id}`],
  [/^(?:www\.)?vimeo\.com$/, /^\/(\d{1,20})/, ([, id]) => `https://player.vimeo.com/video/${id}?dnt=1`],
  [/^player\.vimeo\.com$/, /^\/video\//, (_, { href }) => href],
  [/^(?:www\.)?loom\.com$/, /^\/(?:share|embed)\/(\w{1,64})/, ([, id]) => `https://www.loom.com/embed/${id}`],
  [
    /^open\.spotify\.com$/,
    /^\/(?:embed\/)?([a-z]{1,20}\/\w{1,64})/,
    ([, path]) => `https://open.spotify.com/embed/${path}`,
  ],
  [
    /^(?:www\.)?soundcloud\.com$/,
    /^\/./,
    (_, { href }) => `https://w.soundcloud.com/player/?url=${encodeURIComponent(href)}`,
  ],
  [
    /^(?:www\.)?codepen\.io$/,
    /^\/([\w-]{1,64})\/(?:pen|embed)\/(\w{1,64})/,
    ([, user, id]) => `https://codepen.io/${user}/embed/${id}`,
  ],
  [
    /^(?:www\.)?codesandbox\.io$/,
    /^\/(?:s|embed|p\/sandbox)\/([\w-]{1,100})/,
    ([, id]) => `https://codesandbox.io/embed/${id}`,
  ],
  [
    /^(?:www\.)?stackblitz\.com$/,
    /^\/(edit|github)\/([\w./-]{1,200})/,
    ([, kind, path]) => `https://stackblitz.com/${kind}/${path}?embed=1`,
  ],
  [
    /^(?:www\.)?figma\.com$/,
    /^\/(?:file|design|proto|board)\//,
    (_, { href }) => `https://www.figma.com/embed?embed_host=share&url=${encodeURIComponent(href)}`,
  ],
  [
    /^(?:www\.)?dailymotion\.com$/,
    /^\/(?:embed\/)?video\/(\w{1,40})/,
    ([, id]) => `https://www.dailymotion.com/embed/video/${id}`,
  ],
  [/^(?:www\.)?ted\.com$/, /^\/talks\/(\w{1,200})/, ([, id]) => `https://embed.ted.com/talks/${id}`],
  [
    /^docs\.google\.com$/,
    /^\/(document|presentation|spreadsheets|forms)\/d\/(e\/)?([\w-]{1,200})/,
    ([, kind, open = "", id]) =>
      `https://docs.google.com/${kind}/d/${open}${id}/${kind === "forms" ? "viewform?embedded=true" : "preview"}`,
  ],
  [/^calendly\.com$/, /^\/[\w-]/, (_, { href }) => href],
];

/** Returns the URL of the frame that shows a page of a known host, otherwise undefined. */
export function findEmbedUrl(address: string): string | undefined {
  const url = tryParseUrl(address);
  if (url?.protocol !== "https:") return undefined;
  for (const [host, path, buildEmbedUrl] of EMBED_RULES) {
    const match = host.test(url.hostname) ? path.exec(url.pathname) : null;
    const embedUrl = match ? buildEmbedUrl(match, url) : "";
    if (embedUrl !== "") return embedUrl;
  }
  return undefined;
}
