// Texts in groups that a host takes at once.

/** Texts in groups of at most so many, and so many characters; a single longer text goes alone. */
export function batchesOf(texts: readonly string[], maxTexts: number, maxCharacters: number): string[][] {
  const batches: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    if (characters + text.length > maxCharacters || batches.at(-1)!.length >= maxTexts) {
      batches.push([]);
      characters = 0;
    }
    batches.at(-1)!.push(text);
    characters += text.length;
  }
  return batches;
}
