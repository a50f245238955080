// The words of the bench's pages.

/** A word for a number: `bpzen`. */
export function rare(n: number): string {
  const letters = [...((n + 1) * 7919).toString(26)].map((digit) =>
    String.fromCharCode(97 + Number.parseInt(digit, 26)),
  );
  return letters.join("");
}

/** About two thousand characters in four sections; some words are everywhere, most are rare, some are names with digits. */
export function pageText(n: number): string {
  const word = (i: number) => {
    if (i % 9 === 0) return ["alpha", "beta", "gamma", "setup"][i % 4]!;
    const number = (n * 31 + i * 17) % 20_000;
    return i % 10 === 0 ? `word${number}` : rare(number);
  };
  const paragraph = (from: number) => Array.from({ length: 60 }, (_, i) => word(from + i)).join(" ");
  const sections = Array.from({ length: 4 }, (_, i) => `## Section ${i} of ${n}\n\n${paragraph(i * 60)}.\n`);
  return `Introduction to ${word(1)} with a [link](../page-${(n * 7) % 100}.md).\n\n${sections.join("\n")}`;
}
