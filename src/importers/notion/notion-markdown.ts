// Converts the Markdown of Notion: callouts become hints, and the properties of a row become a list.

import { parsePageSource } from "../../content/page-source";

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** The styles of hints by the icon that a callout begins with. */
const STYLES_BY_ICON: readonly (readonly [style: string, icons: RegExp])[] = [
  ["danger", /^(?:🚨|⛔|🛑|❌|🔥)/u],
  ["warning", /^(?:⚠️?|❗|‼️?|🚧)/u],
  ["success", /^(?:✅|✔️?|🎉|👍)/u],
  ["info", /^(?:💡|ℹ️?|📌|📝|🔎|👉)/u],
];
const ICON_IMAGE = /^<img [^>]{0,500}notion\.so\/icons\/[^>]{0,500}>$/;
const PROPERTY = /^[^:\n]{1,80}: ?\S?/;

/** Converts the callouts of a text to hints. Code stays as it is. */
export function convertCallouts(text: string): string {
  const lines = text.split("\n");
  let fence: string | undefined;
  let isInCallout = false;
  const converted: string[] = [];
  for (const [i, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined || mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length) fence = undefined;
      converted.push(line);
      continue;
    }

    const trimmed = line.trim();
    if (trimmed === "<aside>" && !isInCallout) {
      isInCallout = true;
      const nextLines = lines.slice(i + 1, i + 4).map((next) => next.trim());
      const first = nextLines.find((next) => next !== "" && !ICON_IMAGE.test(next)) ?? "";
      const style = STYLES_BY_ICON.find(([, icons]) => icons.test(first))?.[0] ?? "info";
      converted.push(line.replace("<aside>", `{% hint style="${style}" %}`));
    } else if (trimmed === "</aside>" && isInCallout) {
      isInCallout = false;
      converted.push(line.replace("</aside>", "{% endhint %}"));
    } else if (!isInCallout || !ICON_IMAGE.test(trimmed)) converted.push(line);
  }
  return isInCallout ? text : converted.join("\n");
}

/** Converts the properties of a row to a list. They are under the title, one on each line. */
export function convertProperties(text: string): string {
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
