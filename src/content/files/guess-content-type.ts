// Guesses the content type of a file by its name alone, for files whose bytes are not available.

import { guessTextType } from "./text-types";

const OFFICE = "application/vnd.openxmlformats-officedocument";

const TYPES: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["avif", "image/avif"],
  ["svg", "image/svg+xml"],
  ["ico", "image/vnd.microsoft.icon"],
  ["bmp", "image/bmp"],
  ["tif", "image/tiff"],
  ["tiff", "image/tiff"],
  ["pdf", "application/pdf"],
  ["zip", "application/zip"],
  ["gz", "application/gzip"],
  ["docx", `${OFFICE}.wordprocessingml.document`],
  ["xlsx", `${OFFICE}.spreadsheetml.sheet`],
  ["pptx", `${OFFICE}.presentationml.presentation`],
  ["mp3", "audio/mpeg"],
  ["wav", "audio/wav"],
  ["flac", "audio/flac"],
  ["ogg", "audio/ogg"],
  ["mp4", "video/mp4"],
  ["mov", "video/quicktime"],
  ["webm", "video/webm"],
  ["woff", "font/woff"],
  ["woff2", "font/woff2"],
  ["otf", "font/otf"],
  ["ttf", "font/ttf"],
]);

/** Returns the content type for the extension of a name, or a generic type if the extension is unknown. */
export function guessContentType(name: string): string {
  const [, extension] = /\.([^.]+)$/.exec(name) ?? [];
  const known = extension && (TYPES.get(extension.toLowerCase()) ?? guessTextType(name));
  return known || "application/octet-stream";
}
