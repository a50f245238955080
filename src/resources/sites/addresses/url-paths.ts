// Parses the path segments below the URL of a site: decoded, without empty segments, and normalized so that equal texts compare equal.

/** Returns the segments of a path, or undefined if no URL of this server has such a path. */
export function parseUrlPath(path: string): readonly string[] | undefined {
  try {
    const segments = path
      .split("/")
      .filter((segment) => segment !== "")
      .map((segment) => decodeURIComponent(segment).normalize("NFC"));
    // A segment is neither `.` nor `..`, and contains no separator and no control character.
    const isInvalid = (it: string) => it === "." || it === ".." || /[/\\?#\p{Cc}\p{Cs}]/u.test(it);
    return segments.some(isInvalid) ? undefined : segments;
  } catch {
    return undefined;
  }
}

/** Joins segments as redirects store them: `/old/page`. */
export function formatUrlPath(segments: readonly string[]): string {
  return `/${segments.join("/")}`;
}
