// The text of a paragraph, a heading or a cell, collected from its lines, and the mapping of its offsets to the source.

/** The content of a leaf block. Most have a single piece, and a text can have hundreds of thousands of contents. */
export class Content {
  text = "";
  /** The offset of the first piece in the source. */
  #source = 0;
  /** The offsets of the other pieces, in the content and in the source. */
  #starts: number[] | undefined;
  #sources: number[] | undefined;

  add(source: string, start: number, end: number): void {
    this.#begin(start);
    this.text += source.slice(start, end);
  }

  /** Adds the line ending at an offset of the source. */
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

  toSource(at: number): number {
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

  /** Returns a part of the content, with its mapping. */
  slice(from: number, to: number): Content {
    if (from === 0 && to === this.text.length) return this;
    const part = new Content();
    part.text = this.text.slice(from, to);
    part.#source = this.toSource(from);
    for (const [i, start] of (this.#starts ?? []).entries()) {
      if (start > from && start < to) part.#addPiece(start - from, this.#sources![i]!);
    }
    return part;
  }
}
