// Anchors: what a link puts behind `#`.

/** The name of an anchor that a text gives itself, with `<a id="name"></a>`; undefined for one that none can be. */
export function statedAnchor({ id, name }: Readonly<Record<string, string>>): string | undefined {
  const stated = id ?? name;
  return stated !== undefined && isAnchor(stated) ? stated : undefined;
}

/** Whether a name can be one of an anchor. */
export function isAnchor(name: string): boolean {
  return /^[^\s"'<>&]{1,256}$/.test(name);
}

/** Gives out the anchors of one text; no two are the same. */
export class Anchors {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  /** `stated` are the anchors that headings give themselves: those come first. */
  constructor(stated: Iterable<string>) {
    for (const anchor of stated) this.#taken.add(anchor);
  }

  /** An anchor made of a heading's text. */
  anchorFor(text: string): string {
    const wanted = slug(text) || "section";
    let anchor = wanted;
    let number = this.#next.get(wanted) ?? 0;
    while (this.#taken.has(anchor)) anchor = `${wanted}-${++number}`;
    this.#next.set(wanted, number);
    this.#taken.add(anchor);
    return anchor;
  }
}

/** Lower case, spaces as dashes, without punctuation. */
function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}
