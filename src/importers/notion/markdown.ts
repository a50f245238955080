// The Markdown that Notion writes, as pages have it: callouts are hints, and properties of a row are a list.

import { parsePageSource } from "../../content/page-source";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** What the picture of a callout says about it. */
const STYLES: readonly (readonly [style: string, pictures: RegExp])[] = [
  ["danger", /^(?:🚨|⛔|🛑|❌|🔥)/u],
  ["warning", /^(?:⚠️?|❗|‼️?|🚧)/u],
  ["success", /^(?:✅|✔️?|🎉|👍)/u],
  ["info", /^(?:💡|ℹ️?|📌|📝|🔎|👉)/u],
];
const ICON = /^<img [^>]{0,500}notion\.so\/icons\/[^>]{0,500}>$/;
const PROPERTY = /^[^:\n]{1,80}: ?\S?/;

/** A text with its callouts as hints; code stays as it is. */
export function withHints(text: string): string {
  const lines = text.split("\n");
  let fence: string | undefined;
  let isOpen = false;
  const written = lines.flatMap((line, i): string[] => {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined || mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length) fence = undefined;
      return [line];
    }
    const bare = line.trim();
    if (bare === "<aside>" && !isOpen) {
      isOpen = true;
      return [line.replace("<aside>", `{% hint style="${styleOf(lines.slice(i + 1, i + 4))}" %}`)];
    }
    if (bare === "</aside>" && isOpen) {
      isOpen = false;
      return [line.replace("</aside>", "{% endhint %}")];
    }
    return isOpen && ICON.test(bare) ? [] : [line];
  });
  return isOpen ? text : written.join("\n");
}

/** The style of a hint by the picture that it begins with. */
function styleOf(lines: readonly string[]): string {
  const first = lines.map((line) => line.trim()).find((line) => line !== "" && !ICON.test(line)) ?? "";
  return STYLES.find(([, pictures]) => pictures.test(first))?.[0] ?? "info";
}

/** A row's page with its properties as a list: they stand under the title, one a line. */
export function withProperties(text: string): string {
  const { bodyStart } = parsePageSource(text);
  const end = text.indexOf("\n\n", bodyStart);
  const lines = text
    .slice(bodyStart, end < 0 ? text.length : end)
    .split("\n")
    .filter((line) => line !== "");
  if (lines.length === 0 || !lines.every((line) => PROPERTY.test(line))) return text;
  const list = lines.map((line) => `* ${line}`).join("\n");
  return text.slice(0, bodyStart) + list + (end < 0 ? "\n" : text.slice(end));
}
