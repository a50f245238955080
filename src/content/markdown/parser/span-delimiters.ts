// Strings of backticks or dollars, where a string is closed by a later one of the same length.

/** Returns the end of the run of equal characters at an offset. */
export function skipRun(text: string, at: number): number {
  let end = at;
  while (end < text.length && text[end] === text[at]) end++;
  return end;
}

/** The strings of one delimiter character in a text. */
export class SpanDelimiters {
  /** The offset of the last string of each length: a search behind it would be in vain. */
  #last: Map<number, number> | undefined;

  constructor(
    readonly text: string,
    readonly mark: string,
  ) {}

  /** Returns the offset of the first string of a length from an offset on. */
  findClosing(from: number, length: number): number | undefined {
    this.#last ??= this.#lastOfEach();
    if ((this.#last.get(length) ?? -1) < from) return undefined;
    for (const [at, end] of this.#from(from)) if (end - at === length) return at;
    return undefined;
  }

  #lastOfEach(): Map<number, number> {
    const last = new Map<number, number>();
    for (const [at, end] of this.#from(0)) last.set(end - at, at);
    return last;
  }

  *#from(offset: number): Iterable<[at: number, end: number]> {
    for (let at = this.text.indexOf(this.mark, offset); at !== -1; ) {
      const end = skipRun(this.text, at);
      yield [at, end];
      at = this.text.indexOf(this.mark, end);
    }
  }
}
