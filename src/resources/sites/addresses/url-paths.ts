// Path segments under a site's URL: decoded, without empty segments, and normalized so that equal texts compare equal.

/** The segments of a path; undefined for a path that none of our URLs has. */
export function parseUrlPath(path: string): readonly string[] | undefined {
  try {
    const parts = path
      .split("/")
      .filter((part) => part !== "")
      .map((part) => decodeURIComponent(part).normalize("NFC"));
    return parts.every(isValidSegment) ? parts : undefined;
  } catch {
    return undefined;
  }
}

/** A segment is not `.` or `..`, and holds no separator and no control character. */
function isValidSegment(part: string): boolean {
  return part !== "." && part !== ".." && !/[/\\?#\p{Cc}\p{Cs}]/u.test(part);
}

/** Segments as one text, as redirects store it: `/old/page`. */
export function formatUrlPath(parts: readonly string[]): string {
  return `/${parts.join("/")}`;
}
