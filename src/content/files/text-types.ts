// Recognizes bytes that are text, and the type of the text. Types that a browser would run (HTML, SVG, XML) are recognized by their content.
// The sender's content type and the name only choose among the other types of text.

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

/** Elements with which a file of HTML begins. */
const HTML_ELEMENTS = new Set(
  (
    "html head body script style title meta link base iframe object embed template form div span p a b i br hr img video " +
    "audio table ul ol dl pre center font h1 h2 h3 h4 h5 h6 main header section article details picture math"
  ).split(" "),
);

/** Tab, line feed, form feed, carriage return, escape. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);
const BINARY_CONTROL = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** Returns the content type of bytes that are text, or undefined if they are not. */
export function detectTextType(bytes: Uint8Array, name: string, claimedType: string | undefined): string | undefined {
  if (!isText(bytes)) return undefined;
  const start = decodeStart(bytes).trimStart();
  const knownClaim = TEXT_TYPES.find(
    ([, claimedTypes]) => claimedType !== undefined && claimedTypes.split(" ").includes(claimedType),
  )?.[0];
  const isSpecific = knownClaim !== undefined && knownClaim !== "text/plain";
  const statedType = isSpecific ? knownClaim : (guessTextType(name) ?? knownClaim);
  const markupType = detectMarkupType(start);
  // A Markdown page may begin with a tag. No browser runs it under this type.
  if (markupType && !(markupType === "text/html" && statedType === "text/markdown")) return markupType;
  if (statedType === "application/json") return /^[{["\dtfn-]/.test(start) ? statedType : "text/plain";
  return statedType ?? (bytes.length <= MAX_START_BYTES && isJson(start) ? "application/json" : "text/plain");
}

/** Returns the type of text for the extension of a name. */
export function guessTextType(name: string): string | undefined {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return TEXT_TYPES.find(([, , extensions]) => extensions.split(" ").includes(extension))?.[0];
}

/** Checks that no byte occurs only in binary files. UTF-16 is recognized by its first two bytes, and checked after decoding. */
function isText(bytes: Uint8Array): boolean {
  if (getHighByteIndex(bytes) !== undefined) return !BINARY_CONTROL.test(decodeStart(bytes));
  for (const byte of bytes) if (byte < 0x20 && !TEXT_CONTROLS.has(byte)) return false;
  return true;
}

/** Returns the index of the higher byte of a pair in UTF-16, or undefined for other encodings. */
function getHighByteIndex([first, second]: Uint8Array): 0 | 1 | undefined {
  if (first === 0xff && second === 0xfe) return 1;
  return first === 0xfe && second === 0xff ? 0 : undefined;
}

/** Decodes the start of a text. UTF-16 is decoded here, because not every runtime decodes both byte orders. */
function decodeStart(bytes: Uint8Array): string {
  const start = bytes.subarray(0, MAX_START_BYTES);
  const highByteIndex = getHighByteIndex(bytes);
  if (highByteIndex === undefined) return new TextDecoder().decode(start);
  let text = "";
  for (let i = 2; i + 1 < start.length; i += 2)
    text += String.fromCharCode((start[i + highByteIndex]! << 8) | start[i + 1 - highByteIndex]!);
  return text;
}

const DOCTYPE = /<!doctype\s+([\w.-]+)/iy;
const ELEMENT = /<(?:[\w.-]+:)?([A-Za-z][\w.-]*)/y;
const SPACES = /\s*/y;

/** Returns the type of a text in angle brackets, by its first element or the document type that it declares. */
function detectMarkupType(text: string): string | undefined {
  const matchAt = (pattern: RegExp, position: number) => {
    pattern.lastIndex = position;
    return pattern.exec(text);
  };
  let root: string | undefined;
  for (let position = 0; ; position += matchAt(SPACES, position)![0].length) {
    root = (matchAt(DOCTYPE, position) ?? matchAt(ELEMENT, position))?.[1]?.toLowerCase();
    if (root !== undefined) break;
    // Processing instructions and comments may precede it.
    const isInstruction = text.startsWith("<?", position);
    if (!isInstruction && !text.startsWith("<!--", position)) break;
    const closing = isInstruction ? "?>" : "-->";
    const end = text.indexOf(closing, position + 2);
    if (end < 0) break;
    position = end + closing.length;
  }

  if (root === "svg") return "image/svg+xml";
  const isXml = text.startsWith("<?xml");
  if (root === "html" || (!isXml && root !== undefined && HTML_ELEMENTS.has(root))) return "text/html";
  return isXml ? "application/xml" : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
