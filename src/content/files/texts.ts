// Bytes that are text, and which kind of text. What a browser would run (HTML, SVG, XML) is recognized by its content.
// The sender's content type and the name only choose among kinds of text.

/** How much of a text is looked at for its kind. */
const MAX_LOOK = 64 * 1024;

/** One row a kind: what it is called here, what senders may call it, how names end. */
const KINDS: readonly (readonly [contentType: string, claims: string, endings: string])[] = [
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

/** Elements that a file of HTML begins with. */
const HTML = new Set(
  (
    "html head body script style title meta link base iframe object embed template form div span p a b i br hr img video " +
    "audio table ul ol dl pre center font h1 h2 h3 h4 h5 h6 main header section article details picture math"
  ).split(" "),
);

/** Tab, line feed, form feed, carriage return, escape. */
const CONTROLS_OF_TEXT = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);
const BINARY = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** The content type of bytes that are text; undefined when they are not. */
export function textType(bytes: Uint8Array, name: string, claim: string | undefined): string | undefined {
  if (!isText(bytes)) return undefined;
  const start = decodedStart(bytes).trimStart();
  const stated = kindStated(name, claim);
  const markup = markupType(start);
  // A page in Markdown may begin with a tag. No browser runs it under this type.
  if (markup && !(markup === "text/html" && stated === "text/markdown")) return markup;
  if (stated === "application/json") return /^[{["\dtfn-]/.test(start) ? stated : "text/plain";
  return stated ?? (bytes.length <= MAX_LOOK && isJson(start) ? "application/json" : "text/plain");
}

function kindStated(name: string, claim: string | undefined): string | undefined {
  const claimed = KINDS.find(([, claims]) => claim !== undefined && claims.split(" ").includes(claim))?.[0];
  const named = textTypeNamed(name);
  return claimed === undefined || claimed === "text/plain" ? (named ?? claimed) : claimed;
}

/** The kind of text that a name ends like. */
export function textTypeNamed(name: string): string | undefined {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return KINDS.find(([, , endings]) => endings.split(" ").includes(ending))?.[0];
}

/** No byte that only binary files have. UTF-16 is recognized by its first two bytes, and checked after decoding. */
function isText(bytes: Uint8Array): boolean {
  if (higherByte(bytes) !== undefined) return !BINARY.test(decodedStart(bytes));
  for (const byte of bytes) if (byte < 0x20 && !CONTROLS_OF_TEXT.has(byte)) return false;
  return true;
}

/** Which byte of two is the higher one in UTF-16; undefined for everything else. */
function higherByte([first, second]: Uint8Array): 0 | 1 | undefined {
  if (first === 0xff && second === 0xfe) return 1;
  return first === 0xfe && second === 0xff ? 0 : undefined;
}

/** UTF-16 is decoded here, because not every runtime decodes both byte orders. */
function decodedStart(bytes: Uint8Array): string {
  const start = bytes.subarray(0, MAX_LOOK);
  const higher = higherByte(bytes);
  if (higher === undefined) return new TextDecoder().decode(start);
  let text = "";
  for (let at = 2; at + 1 < start.length; at += 2)
    text += String.fromCharCode((start[at + higher]! << 8) | start[at + 1 - higher]!);
  return text;
}

/** What a text in angle brackets is: told by its first element, or by the type that it declares. */
function markupType(text: string): string | undefined {
  const isXml = text.startsWith("<?xml");
  const root = rootOf(text)?.toLowerCase();
  if (root === "svg") return "image/svg+xml";
  if (root === "html" || (!isXml && root !== undefined && HTML.has(root))) return "text/html";
  return isXml ? "application/xml" : undefined;
}

const DOCTYPE = /<!doctype\s+([\w.-]+)/iy;
const ELEMENT = /<(?:[\w.-]+:)?([A-Za-z][\w.-]*)/y;
const BETWEEN = /\s*/y;

function rootOf(text: string): string | undefined {
  for (let at = 0; ; at += matchAt(BETWEEN, text, at)![0].length) {
    const declared = matchAt(DOCTYPE, text, at) ?? matchAt(ELEMENT, text, at);
    if (declared) return declared[1];
    const close = text.startsWith("<?", at) ? "?>" : "-->";
    const end = text.startsWith("<?", at) || text.startsWith("<!--", at) ? text.indexOf(close, at + 2) : -1;
    if (end < 0) return undefined;
    at = end + close.length;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
