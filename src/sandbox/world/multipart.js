// multipart/form-data, read and written.

import { bytesOfBlob, File } from "./blob.js";
import { binary, decode, encode, joined } from "./bytes.js";
import { FormData } from "./form-data.js";
import { ask } from "./host.js";

const malformed = () => new TypeError("The body is not valid multipart/form-data.");

/** Reads a form out of a body; throws when it is malformed. */
export function readMultipart(bytes, boundary) {
  const form = new FormData();
  // One character a byte: places in the text are places in the bytes.
  const text = `\r\n${binary(bytes)}`;
  const delimiter = `\r\n--${boundary}`;
  let at = text.indexOf(delimiter);
  for (;;) {
    if (at < 0) throw malformed();
    at += delimiter.length;
    if (text.startsWith("--", at)) return form;
    const begin = text.indexOf("\r\n", at);
    if (begin < 0 || text.slice(at, begin).trim() !== "") throw malformed();
    const next = text.indexOf(delimiter, begin);
    if (next < 0) throw malformed();
    addPart(form, text.slice(begin, next), bytes, begin - 2);
    at = next;
  }
}

/** Adds a part, which begins with a line break at a place in the bytes. */
function addPart(form, part, bytes, at) {
  const end = part.indexOf("\r\n\r\n");
  if (end < 0) throw malformed();
  const headers = decode(bytes.subarray(at + 2, Math.max(at + 2, at + end)));
  const content = bytes.subarray(at + end + 4, at + part.length);
  const disposition = headerOf(headers, "content-disposition");
  const name = parameterOf(disposition, "name");
  if (name === undefined) throw malformed();
  const filename = parameterOf(disposition, "filename");
  if (filename === undefined) form.append(name, decode(content));
  else form.append(name, new File([content], filename, { type: headerOf(headers, "content-type") || "text/plain" }));
}

function headerOf(headers, name) {
  const line = headers.split("\r\n").find((one) => one.toLowerCase().startsWith(`${name}:`));
  return line === undefined ? "" : line.slice(name.length + 1).trim();
}

function parameterOf(header, name) {
  const quoted = new RegExp(`;[ \\t]*${name}="((?:[^"\\\\]|\\\\.)*)"`, "i").exec(header)?.[1];
  const value = quoted ?? new RegExp(`;[ \\t]*${name}=([^;" \\t]+)`, "i").exec(header)?.[1];
  return value
    ?.replace(/\\(["\\])/g, "$1")
    .replace(/%(0A|0D|22)/gi, (_, hex) => String.fromCharCode(Number(`0x${hex}`)));
}

/** Writes a form as a body, with the type that tells its boundary. */
export function writeMultipart(form) {
  const random = [...new Uint8Array(ask("random", 16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const boundary = `----form-${random}`;
  const pieces = [];
  for (const [name, value] of form) {
    const isFile = value instanceof File;
    const filename = isFile ? `; filename="${escaped(value.name)}"` : "";
    const type = isFile ? `Content-Type: ${value.type || "application/octet-stream"}\r\n` : "";
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${filename}\r\n${type}\r\n`;
    pieces.push(encode(head), isFile ? bytesOfBlob(value) : encode(lines(value)), encode("\r\n"));
  }
  pieces.push(encode(`--${boundary}--\r\n`));
  return { bytes: joined(pieces), type: `multipart/form-data; boundary=${boundary}` };
}

const lines = (text) => text.replace(/\r?\n|\r/g, "\r\n");

const escaped = (name) => lines(name).replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
