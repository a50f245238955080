// Runs of one mark, of which a later one of the same length closes an earlier one: backticks and dollars.

/** Where the run of equal characters at an offset ends. */
export function endOfRun(text: string, at: number): number {
  let end = at;
  while (end < text.length && text[end] === text[at]) end++;
  return end;
}

/** The runs of a mark in a text. */
export class MarkRuns {
  /** Where a run of each length stands last, so that nobody looks in vain for one behind it. */
  #last: Map<number, number> | undefined;

  constructor(
    readonly text: string,
    readonly mark: string,
  ) {}

  /** Where the first run of a length stands from an offset on. */
  closing(from: number, length: number): number | undefined {
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
      const end = endOfRun(this.text, at);
      yield [at, end];
      at = this.text.indexOf(this.mark, end);
    }
  }
}
