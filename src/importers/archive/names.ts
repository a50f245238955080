// The names of entries: bytes into text, and text into a path that cannot lead out of the archive. Names are keys in a map
// and nothing else; no name ever reaches a disk.

/** The upper half of code page 437, the encoding of names that are not UTF-8. */
const CP437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** Why a name is refused; `isHostile` when no ordinary program writes such names. */
export interface BadName {
  readonly reason: string;
  readonly isHostile: boolean;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes of a name as text: UTF-8 if they are valid, whatever the archive says, else code page 437. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes).normalize("NFC");
  } catch {
    return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP437[byte - 0x80]!))
      .join("")
      .normalize("NFC");
  }
}

/** A name as a path from the archive's root, without `.` and empty steps; or why it is none. */
export function safePath(name: string): string | BadName {
  if (name.includes("\0")) return { reason: "Its name has a NUL character in it.", isHostile: true };
  if (/^[A-Za-z]:/.test(name)) return { reason: "Its name begins with a drive letter.", isHostile: true };
  if (/^[/\\]/.test(name)) return { reason: "Its name is an absolute path.", isHostile: true };
  const steps = name.split("/");
  if (name.split(/[/\\]/).some((step) => step.trim() === ".."))
    return { reason: "Its name leads out of the archive.", isHostile: true };
  if (name.includes("\\")) return { reason: "Its name has backslashes in it.", isHostile: false };
  if (/\p{Cc}/u.test(name)) return { reason: "Its name has control characters in it.", isHostile: false };
  return steps.filter((step) => step !== "" && step !== ".").join("/");
}

/** Whether a file is only there because of the system that packed it. */
export function isJunk(path: string): boolean {
  return /(^|\/)(__MACOSX(\/|$)|\.DS_Store$|\._[^/]*$|Thumbs\.db$|desktop\.ini$)/.test(path);
}
