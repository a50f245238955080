// The text of a paragraph, a heading or a cell, taken out of its lines, and the way back from it to the source.

/** Collects the content of a leaf piece by piece. */
export class Content {
  text = "";
  readonly #starts: number[] = [];
  readonly #sources: number[] = [];

  /** Adds a stretch of the source as it stands. */
  add(source: string, start: number, end: number): void {
    this.#starts.push(this.text.length);
    this.#sources.push(start);
    this.text += source.slice(start, end);
  }

  /** Adds the line ending that stands at an offset of the source. */
  addEnding(at: number): void {
    this.#starts.push(this.text.length);
    this.#sources.push(at);
    this.text += "\n";
  }

  /** The offset in the source of a character of the content. */
  sourceOf(at: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return (this.#sources[low] ?? 0) + at - (this.#starts[low] ?? 0);
  }

  /** The same content without its first and last characters. */
  slice(from: number, to: number): Content {
    const part = new Content();
    part.text = this.text.slice(from, to);
    part.#starts.push(0);
    part.#sources.push(this.sourceOf(from));
    for (let i = 0; i < this.#starts.length; i++) {
      const start = this.#starts[i]!;
      if (start <= from || start >= to) continue;
      part.#starts.push(start - from);
      part.#sources.push(this.#sources[i]!);
    }
    return part;
  }
}
