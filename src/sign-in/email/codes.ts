// The short code of a mail, as people type it.

import { generateRandomText, type Random } from "../../storage/ids";

const LENGTH = 8;

/** A new code: 40 bits. */
export function generateMailCode(random: Random): string {
  return generateRandomText(random, LENGTH);
}

/** A code as it is shown. */
export function formatMailCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`.toUpperCase();
}

/** What somebody typed, as a code. Letters that look like digits are those digits. */
export function normalizeMailCode(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^0-9a-z]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1")
    .replaceAll("u", "v");
}
