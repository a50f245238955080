// Recognizes bytes that are text, and the type of the text. Types that a browser would run (HTML, SVG, XML) are recognized by their content.
// The sender's content type and the name only choose among the other types of text.

import { tryParseJson } from "../../utils/json";

/** The most bytes of a text that are read for its type. */
const MAX_START_BYTES = 64 * 1024;

/** The types of text, the content types that senders claim for each, and the extensions of its names. */
const TEXT_TYPES: readonly (readonly [contentType: string, claimedTypes: string, extensions: string])[] = [
  ["text/plain", "text/plain", "txt log"],
  ["text/markdown", "text/markdown text/x-markdown", "md markdown"],
  ["text/csv", "text/csv application/csv", "csv"],
  ["text/tab-separated-values", "text/tab-separated-values", "tsv"],
  ["text/css", "text/css", "css"],
  ["text/javascript", "text/javascript application/javascript application/x-javascript", "js mjs"],
  ["application/json", "application/json text/json", "json"],
  ["application/yaml", "application/yaml application/x-yaml text/yaml text/x-yaml", "yaml yml"],
  ["text/html", "text/html application/xhtml+xml", "html htm xhtml"],
  ["application/xml", "application/xml text/xml", "xml"],
];

const HTML_ELEMENTS = new Set(
  (
    "html head body script style title meta link base iframe object embed template form div span p a b i br hr img video " +
    "audio table ul ol dl pre center font h1 h2 h3 h4 h5 h6 main header section article details picture math"
  ).split(" "),
);

/** Tab, line feed, form feed, carriage return, escape. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);
const BINARY_CONTROL = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

export function detectTextType(bytes: Uint8Array, name: string, claimedType: string | undefined): string | undefined {
  // UTF-16 is recognized by its first two bytes. It is decoded here, because not every runtime decodes both byte orders.
  const [first, second] = bytes;
  const highByteIndex = first === 0xff && second === 0xfe ? 1 : first === 0xfe && second === 0xff ? 0 : undefined;
  const startBytes = bytes.subarray(0, MAX_START_BYTES);
  let text = "";
  if (highByteIndex === undefined) {
    if (bytes.some((byte) => byte < 0x20 && !TEXT_CONTROLS.has(byte))) return undefined;
    text = new TextDecoder().decode(startBytes);
  } else {
    for (let i = 2; i + 1 < startBytes.length; i += 2)
      text += String.fromCharCode((startBytes[i + highByteIndex]! << 8) | startBytes[i + 1 - highByteIndex]!);
    if (BINARY_CONTROL.test(text)) return undefined;
  }
  const start = text.trimStart();

  const knownClaim = TEXT_TYPES.find(
    ([, claimedTypes]) => claimedType !== undefined && claimedTypes.split(" ").includes(claimedType),
  )?.[0];
  const isSpecific = knownClaim !== undefined && knownClaim !== "text/plain";
  const statedType = isSpecific ? knownClaim : (guessTextType(name) ?? knownClaim);

  // A text in angle brackets has the type of its first element, or of the document type that it declares.
  const matchAt = (pattern: RegExp, position: number) => {
    pattern.lastIndex = position;
    return pattern.exec(start);
  };
  let root: string | undefined;
  for (let position = 0; ; position += matchAt(SPACES, position)![0].length) {
    root = (matchAt(DOCTYPE, position) ?? matchAt(ELEMENT, position))?.[1]?.toLowerCase();
    if (root !== undefined) break;
    // Processing instructions and comments may precede it.
    const isInstruction = start.startsWith("<?", position);
    if (!isInstruction && !start.startsWith("<!--", position)) break;
    const closing = isInstruction ? "?>" : "-->";
    const end = start.indexOf(closing, position + 2);
    if (end < 0) break;
    position = end + closing.length;
  }
  const isXml = start.startsWith("<?xml");
  const isHtml = root === "html" || (!isXml && root !== undefined && HTML_ELEMENTS.has(root));
  const markupType = root === "svg" ? "image/svg+xml" : isHtml ? "text/html" : isXml ? "application/xml" : undefined;
  // A Markdown page may begin with a tag. No browser runs it under this type.
  if (markupType && !(markupType === "text/html" && statedType === "text/markdown")) return markupType;
  if (statedType === "application/json") return /^[{["\dtfn-]/.test(start) ? statedType : "text/plain";
  if (statedType !== undefined || bytes.length > MAX_START_BYTES) return statedType ?? "text/plain";
  return tryParseJson(start) === undefined ? "text/plain" : "application/json";
}

export function guessTextType(name: string): string | undefined {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return TEXT_TYPES.find(([, , extensions]) => extensions.split(" ").includes(extension))?.[0];
}

const DOCTYPE = /<!doctype\s+([\w.-]+)/iy;
const ELEMENT = /<(?:[\w.-]+:)?([A-Za-z][\w.-]*)/y;
const SPACES = /\s*/y;
