// Detects the content type of a file from its bytes. Binary formats are recognized by bytes at fixed places, so a file of any size takes the
// same time.

import { detectTextType } from "./text-types";

/** Returns the content type of a file. Its name and the type that its sender claims only choose among types of text. */
export function detectContentType(bytes: Uint8Array, name: string, claimedType?: string): string {
  const format = FORMATS.find(([, matches]) => matches(bytes));
  if (format) return format[0];

  // Archives are recognized by the names of their first entries. Some formats state their type in an entry.
  if (hasText(bytes, "PK\x03\x04") || hasText(bytes, "PK\x05\x06")) {
    const start = decodeLatin1(bytes, 0, MAX_ARCHIVE_BYTES);
    const mimetypeEntry =
      /^PK\x03\x04.{22}\x08\0\0\0mimetype(application\/(?:epub\+zip|vnd\.oasis\.opendocument\.[a-z]+))PK/s;
    const [, statedType] = mimetypeEntry.exec(start) ?? [];
    if (statedType) return statedType;
    if (!start.includes("[Content_Types].xml")) return "application/zip";
    const hasEntryIn = (folder: string) => {
      for (let entry = start.indexOf("PK\x03\x04"); entry >= 0; entry = start.indexOf("PK\x03\x04", entry + 4))
        if (start.startsWith(folder, entry + 30)) return true;
      return false;
    };
    return OFFICE_FOLDERS.find(([folder]) => hasEntryIn(folder))?.[1] ?? "application/zip";
  }

  // The first box of the family of MP4 names the brand. A still image of AV1 may name it second.
  if (hasText(bytes, "ftyp", 4)) {
    const brand = decodeLatin1(bytes, 8, 12);
    const boxSize = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    const otherBrands = decodeLatin1(bytes, 16, Math.min(boxSize, 256));
    if (/^(?:mif1|msf1)$/.test(brand) && otherBrands.includes("avif")) return "image/avif";
    const type = BRANDS.find(([pattern]) => pattern.test(brand))?.[1];
    if (type) return type;
  }

  if (hasText(bytes, "\x1a\x45\xdf\xa3")) {
    const [, documentType] = /\x42\x82.{1,8}?(webm|matroska)/s.exec(decodeLatin1(bytes, 4, 64)) ?? [];
    if (documentType) return documentType === "webm" ? "video/webm" : "video/x-matroska";
  }
  return detectTextType(bytes, name, claimedType) ?? "application/octet-stream";
}

type BinaryFormat = readonly [contentType: string, matches: (bytes: Uint8Array) => boolean];

const FORMATS: readonly BinaryFormat[] = [
  ["image/png", (bytes) => hasText(bytes, "\x89PNG\r\n\x1a\n")],
  ["image/jpeg", (bytes) => hasText(bytes, "\xff\xd8\xff")],
  ["image/gif", (bytes) => hasText(bytes, "GIF87a") || hasText(bytes, "GIF89a")],
  ["image/webp", (bytes) => hasText(bytes, "RIFF") && hasText(bytes, "WEBP", 8)],
  ["image/vnd.microsoft.icon", (bytes) => hasText(bytes, "\0\0\x01\0") && bytes[4]! > 0 && bytes[5] === 0],
  ["image/bmp", (bytes) => hasText(bytes, "BM") && hasText(bytes, "\0\0\0\0", 6) && hasText(bytes, "\0\0\0", 15)],
  ["image/tiff", (bytes) => hasText(bytes, "II*\0") || hasText(bytes, "MM\0*")],
  ["application/pdf", (bytes) => hasText(bytes, "%PDF-")],
  ["application/gzip", (bytes) => hasText(bytes, "\x1f\x8b\x08")],
  ["application/x-7z-compressed", (bytes) => hasText(bytes, "7z\xbc\xaf\x27\x1c")],
  ["audio/wav", (bytes) => hasText(bytes, "RIFF") && hasText(bytes, "WAVE", 8)],
  ["audio/flac", (bytes) => hasText(bytes, "fLaC\0")],
  [
    "audio/mpeg",
    (bytes) => /^(?:ID3[\x02-\x04]|\xff[\xf2\xf3\xfa\xfb\xe2\xe3][^\xf0-\xff])/.test(decodeLatin1(bytes, 0, 4)),
  ],
  ["video/ogg", (bytes) => hasText(bytes, "OggS\0") && decodeLatin1(bytes, 0, 64).includes("\x80theora")],
  ["audio/ogg", (bytes) => hasText(bytes, "OggS\0")],
  ["font/woff2", (bytes) => hasText(bytes, "wOF2") && bytes.length >= 48],
  ["font/woff", (bytes) => hasText(bytes, "wOFF") && bytes.length >= 44],
  ["font/otf", (bytes) => hasText(bytes, "OTTO\0")],
  ["font/ttf", (bytes) => hasText(bytes, "\0\x01\0\0\0")],
];

/** The most bytes of an archive that are searched for its entries. */
const MAX_ARCHIVE_BYTES = 64 * 1024;

const OFFICE_FOLDERS: readonly (readonly [folder: string, contentType: string])[] = [
  ["word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
];

const BRANDS: readonly (readonly [brand: RegExp, contentType: string])[] = [
  [/^avi[fs]/, "image/avif"],
  [/^(?:hei[cxms]|hev[cxms]|mif1|msf1)/, "image/heic"],
  [/^M4[AB] /, "audio/mp4"],
  [/^qt {2}/, "video/quicktime"],
  [/^3g[p2]/, "video/3gpp"],
  [/^(?:iso[m2-9]|mp4[12v]|avc1|M4V |dash|MSNV|[fF]4V |mmp4)/, "video/mp4"],
];

/** Checks that bytes have a text at an offset. Each of its characters is one byte. */
function hasText(bytes: Uint8Array, text: string, offset = 0): boolean {
  return decodeLatin1(bytes, offset, offset + text.length) === text;
}

function decodeLatin1(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (const byte of bytes.subarray(start, end)) text += String.fromCharCode(byte);
  return text;
}
