// The formats that are known by their first bytes. Each is looked for at fixed places, so a file of any size is told in the
// same time.

/** How much of an archive or a container is looked at for what is inside. */
const MAX_INSIDE = 64 * 1024;

/** The content type of bytes in a known binary format. */
export function binaryType(bytes: Uint8Array): string | undefined {
  return formats.find(([, matches]) => matches(bytes))?.[0] ?? zipType(bytes) ?? isoMediaType(bytes) ?? ebmlType(bytes);
}

type Format = readonly [contentType: string, matches: (bytes: Uint8Array) => boolean];

/** A text at a place; each of its characters is one byte. */
const has =
  (text: string, at = 0) =>
  (bytes: Uint8Array): boolean =>
    latin(bytes, at, at + text.length) === text;

const both =
  (...all: readonly ((bytes: Uint8Array) => boolean)[]) =>
  (bytes: Uint8Array): boolean =>
    all.every((matches) => matches(bytes));

const formats: readonly Format[] = [
  ["image/png", has("\x89PNG\r\n\x1a\n")],
  ["image/jpeg", has("\xff\xd8\xff")],
  ["image/gif", (bytes) => has("GIF87a")(bytes) || has("GIF89a")(bytes)],
  ["image/webp", both(has("RIFF"), has("WEBP", 8))],
  ["image/vnd.microsoft.icon", (bytes) => has("\0\0\x01\0")(bytes) && bytes[4]! > 0 && bytes[5] === 0],
  ["image/bmp", (bytes) => has("BM")(bytes) && has("\0\0\0\0", 6)(bytes) && has("\0\0\0", 15)(bytes)],
  ["image/tiff", (bytes) => has("II*\0")(bytes) || has("MM\0*")(bytes)],
  ["application/pdf", has("%PDF-")],
  ["application/gzip", has("\x1f\x8b\x08")],
  ["application/x-7z-compressed", has("7z\xbc\xaf\x27\x1c")],
  ["audio/wav", both(has("RIFF"), has("WAVE", 8))],
  ["audio/flac", has("fLaC\0")],
  ["audio/mpeg", (bytes) => /^(?:ID3[\x02-\x04]|\xff[\xf2\xf3\xfa\xfb\xe2\xe3][^\xf0-\xff])/.test(latin(bytes, 0, 4))],
  ["video/ogg", (bytes) => has("OggS\0")(bytes) && latin(bytes, 0, 64).includes("\x80theora")],
  ["audio/ogg", has("OggS\0")],
  ["font/woff2", both(has("wOF2"), (bytes) => bytes.length >= 48)],
  ["font/woff", both(has("wOFF"), (bytes) => bytes.length >= 44)],
  ["font/otf", has("OTTO\0")],
  ["font/ttf", has("\0\x01\0\0\0")],
];

const OFFICE: readonly (readonly [folder: string, contentType: string])[] = [
  ["word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
];

/** An archive, told by the names of its first entries; some formats say their type in an entry of its own. */
function zipType(bytes: Uint8Array): string | undefined {
  if (!has("PK\x03\x04")(bytes) && !has("PK\x05\x06")(bytes)) return undefined;
  const start = latin(bytes, 0, MAX_INSIDE);
  const stated = /^PK\x03\x04.{22}\x08\0\0\0mimetype(application\/(?:epub\+zip|vnd\.oasis\.opendocument\.[a-z]+))PK/s;
  const [, type] = stated.exec(start) ?? [];
  if (type) return type;
  if (!start.includes("[Content_Types].xml")) return "application/zip";
  return OFFICE.find(([folder]) => hasEntryIn(start, folder))?.[1] ?? "application/zip";
}

function hasEntryIn(start: string, folder: string): boolean {
  for (let at = start.indexOf("PK\x03\x04"); at >= 0; at = start.indexOf("PK\x03\x04", at + 4))
    if (start.startsWith(folder, at + 30)) return true;
  return false;
}

const BRANDS: readonly (readonly [brand: RegExp, contentType: string])[] = [
  [/^avi[fs]/, "image/avif"],
  [/^(?:hei[cxms]|hev[cxms]|mif1|msf1)/, "image/heic"],
  [/^M4[AB] /, "audio/mp4"],
  [/^qt {2}/, "video/quicktime"],
  [/^3g[p2]/, "video/3gpp"],
  [/^(?:iso[m2-9]|mp4[12v]|avc1|M4V |dash|MSNV|[fF]4V |mmp4)/, "video/mp4"],
];

/** The family of MP4: the first box names the brand. A still image of AV1 may name it second. */
function isoMediaType(bytes: Uint8Array): string | undefined {
  if (!has("ftyp", 4)(bytes)) return undefined;
  const brand = latin(bytes, 8, 12);
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const others = latin(bytes, 16, Math.min(size, 256));
  if (/^(?:mif1|msf1)$/.test(brand) && others.includes("avif")) return "image/avif";
  return BRANDS.find(([pattern]) => pattern.test(brand))?.[1];
}

function ebmlType(bytes: Uint8Array): string | undefined {
  if (!has("\x1a\x45\xdf\xa3")(bytes)) return undefined;
  const [, type] = /\x42\x82.{1,8}?(webm|matroska)/s.exec(latin(bytes, 4, 64)) ?? [];
  return type && (type === "webm" ? "video/webm" : "video/x-matroska");
}

/** Bytes as characters, one each. */
function latin(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (const byte of bytes.subarray(from, to)) text += String.fromCharCode(byte);
  return text;
}
