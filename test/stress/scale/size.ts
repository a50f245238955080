// How much a big organization holds, and the same at a share of it.

export interface Size {
  readonly spaces: number;
  readonly members: number;
  readonly teams: number;
  /** All in one space, with 500 characters of text each. */
  readonly pages: number;
  readonly files: number;
  readonly changeRequests: number;
  readonly comments: number;
  readonly siteSpaces: number;
  readonly specifications: number;
  readonly installations: number;
}

const FULL: Size = {
  spaces: 5000,
  members: 500,
  teams: 200,
  pages: 100_000,
  files: 5000,
  changeRequests: 5000,
  comments: 50_000,
  siteSpaces: 500,
  specifications: 100,
  installations: 200,
};

/** A share of the full size; at least one of everything. */
export function sizeAt(share: number): Size {
  return Object.fromEntries(
    Object.entries(FULL).map(([what, full]) => [what, Math.max(1, Math.round(full * share))]),
  ) as unknown as Size;
}

/** A size in words. */
export function sizeText(size: Size): string {
  return Object.entries(size)
    .map(([what, count]) => `${count} ${what.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
    .join(", ");
}
