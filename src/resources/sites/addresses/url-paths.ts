// Paths under a site's URL, in their parts: decoded, without empty parts, in the form in which equal texts are equal.

/** The parts of a path; undefined for one that no URL of ours has. */
export function partsOf(path: string): readonly string[] | undefined {
  try {
    const parts = path
      .split("/")
      .filter((part) => part !== "")
      .map((part) => decodeURIComponent(part).normalize("NFC"));
    return parts.every(isPart) ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** A part that is a way up, or holds what would end it or cannot be seen, is none. */
function isPart(part: string): boolean {
  return part !== "." && part !== ".." && !/[/\\?#\p{Cc}\p{Cs}]/u.test(part);
}

/** Parts as one text, as redirects are kept: `/old/page`. */
export function joined(parts: readonly string[]): string {
  return `/${parts.join("/")}`;
}
