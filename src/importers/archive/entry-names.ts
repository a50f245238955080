// The names of entries: bytes to text, and text to a path that cannot lead out of the archive. Names are keys in a map and nothing
// else; no name ever reaches a disk.

/** The upper half of code page 437, the encoding of names that are not UTF-8. */
const CP437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** Why a name is refused. */
export interface NameProblem {
  readonly reason: string;
  /** No ordinary program writes such names. */
  readonly isHostile: boolean;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes the bytes of a name: as UTF-8 if they are valid, whatever the archive declares, else as code page 437. */
export function decodeEntryName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes).normalize("NFC");
  } catch {
    return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP437[byte - 0x80]!))
      .join("")
      .normalize("NFC");
  }
}

/** Returns a name as a path from the root of the archive, without `.` and empty segments, or why it cannot be one. */
export function parseEntryPath(name: string): string | NameProblem {
  if (name.includes("\0")) return { reason: "Its name has a NUL character in it.", isHostile: true };
  if (/^[A-Za-z]:/.test(name)) return { reason: "Its name begins with a drive letter.", isHostile: true };
  if (/^[/\\]/.test(name)) return { reason: "Its name is an absolute path.", isHostile: true };
  if (name.split(/[/\\]/).some((segment) => segment.trim() === ".."))
    return { reason: "Its name leads out of the archive.", isHostile: true };
  if (name.includes("\\")) return { reason: "Its name has backslashes in it.", isHostile: false };
  if (/\p{Cc}/u.test(name)) return { reason: "Its name has control characters in it.", isHostile: false };
  return name
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .join("/");
}
