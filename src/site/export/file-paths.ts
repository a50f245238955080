// Where things of a site stand as files, and how one leads to another: always relative, so that the folder may stand anywhere.

/** The file of a page, by its path below the site: a folder with an index, as hosts of files serve it. */
export function getPageFile(rest: string): string {
  return rest === "" ? "index.html" : `${decodePath(rest)}/index.html`;
}

/** The file of a page's Markdown. */
export function getMarkdownFile(rest: string): string {
  return rest === "" ? "index.md" : `${decodePath(rest)}.md`;
}

/** The way from one file to another, as an address. */
export function toRelativeUrl(from: string, to: string): string {
  const [start, end] = [from.split("/").slice(0, -1), to.split("/")];
  let shared = 0;
  while (shared < start.length && shared < end.length - 1 && start[shared] === end[shared]) shared++;
  const up = start.slice(shared).map(() => "..");
  return [...up, ...end.slice(shared).map(encodeURIComponent)].join("/");
}

function decodePath(path: string): string {
  return path
    .split("/")
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    })
    .join("/");
}
