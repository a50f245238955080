// The text of a paragraph, a heading or a cell, taken out of its lines, and the way back from it to the source.

/** Collects the content of a leaf piece by piece. Most are one piece, and a text may have hundreds of thousands of them. */
export class Content {
  text = "";
  /** Where the first piece stands in the source. */
  #source = 0;
  /** Where the other pieces begin, here and in the source. */
  #starts: number[] | undefined;
  #sources: number[] | undefined;

  /** Adds a stretch of the source as it stands. */
  add(source: string, start: number, end: number): void {
    this.#begin(start);
    this.text += source.slice(start, end);
  }

  /** Adds the line ending that stands at an offset of the source. */
  addEnding(at: number): void {
    this.#begin(at);
    this.text += "\n";
  }

  #begin(source: number): void {
    if (this.text === "") this.#source = source;
    else this.#addPiece(this.text.length, source);
  }

  #addPiece(start: number, source: number): void {
    this.#starts ??= [];
    this.#sources ??= [];
    this.#starts.push(start);
    this.#sources.push(source);
  }

  /** The offset in the source of a character of the content. */
  sourceOf(at: number): number {
    const [starts, sources] = [this.#starts, this.#sources];
    if (!starts || !sources || at < starts[0]!) return this.#source + at;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return sources[low]! + at - starts[low]!;
  }

  /** The same content without its first and last characters. */
  slice(from: number, to: number): Content {
    if (from === 0 && to === this.text.length) return this;
    const part = new Content();
    part.text = this.text.slice(from, to);
    part.#source = this.sourceOf(from);
    for (const [i, start] of (this.#starts ?? []).entries()) {
      if (start > from && start < to) part.#addPiece(start - from, this.#sources![i]!);
    }
    return part;
  }
}
