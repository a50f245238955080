// Translators without a host: each changes the words of a text, and keeps, moves or breaks its marks in its own way.

/** What each word becomes; marks, and the references in them, stay as they are. */
function eachWord(text: string, change: (word: string) => string): string {
  return text.replace(/<[^<>]*>|&[a-z]+;|[\p{L}\p{M}]+/gu, (found) => (/^[<&]/.test(found) ? found : change(found)));
}

/** Every word in other letters, so that nothing is left as it was. */
export const reversed = (text: string) => eachWord(text, (word) => `${[...word].toReversed().join("")}q`);

/** A language without spaces, whose sentences end with marks of its own. */
export const dense = (text: string) =>
  eachWord(text, () => "文字")
    .replaceAll(/\s+/g, "")
    .replaceAll(/<(g|x)id=/g, "<$1 id=")
    .replaceAll(".", "。")
    .replaceAll(",", "、");

/** The sentence from its end to its beginning, marks around words included. */
export function turned(text: string): string {
  const parts = text.match(/<x id="\d+"><\/x>|<g id="(\d+)">|<\/g>|[^<]+/g) ?? [];
  let depth = 0;
  const top: string[] = [];
  for (const part of parts) {
    const isInside = depth > 0;
    if (part.startsWith("<g")) depth++;
    if (part === "</g>") depth--;
    if (isInside) top[top.length - 1] += part;
    else top.push(part);
  }
  return reversed(top.toReversed().join(" "));
}

/** Words that would be syntax if nobody minded. */
export const spiked = (text: string) => `- ${eachWord(text, (word) => `${word}* _[a](b) | \`c\` {% &lt;f&gt;`)} #`;
