// Lines of code that mdBook does not show: in Rust those that begin with `#` and a space, in other languages those that
// begin with what the settings or the block itself name.

const FENCE = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?!`)|~{3,}(?!~))([^\n]*)$/;

/** Whether a text may have such lines. */
export function mayHideLines(text: string, hidelines: Readonly<Record<string, string>>): boolean {
  return (
    /(?:`{3}|~{3})[ \t]*rust\b|hidelines=/.test(text) || (Object.keys(hidelines).length > 0 && /`{3}|~{3}/.test(text))
  );
}

/** A text without the lines of code that are not shown. */
export function withoutHiddenLines(text: string, hidelines: Readonly<Record<string, string>>): string {
  if (!mayHideLines(text, hidelines)) return text;
  const shown: string[] = [];
  let closing: RegExp | undefined;
  let show: ((line: string) => string | undefined) | undefined;
  for (const line of text.split("\n")) {
    if (closing?.test(line)) [closing, show] = [undefined, undefined];
    else if (closing) {
      const kept = show ? show(line) : line;
      if (kept !== undefined) shown.push(kept);
      continue;
    } else {
      const [, , fence = "", info = ""] = FENCE.exec(line.replace(/\r$/, "")) ?? [];
      if (fence !== "" && !(fence[0] === "`" && info.includes("`"))) {
        closing = new RegExp(`^[ \\t>]*${fence[0]}{${fence.length},}[ \\t\\r]*$`);
        show = ruleFor(info, hidelines);
      }
    }
    shown.push(line);
  }
  return shown.join("\n");
}

/** How lines of a block are shown; undefined: as they are. */
function ruleFor(info: string, hidelines: Readonly<Record<string, string>>) {
  const [language = "", ...words] = info.trim().split(/[\s,]+/);
  const own = words.find((word) => word.startsWith("hidelines="))?.slice("hidelines=".length);
  const prefix = own ?? (Object.hasOwn(hidelines, language) ? hidelines[language]! : "");
  if (prefix !== "") return (line: string) => (line.replace(/^[ \t>]+/, "").startsWith(prefix) ? undefined : line);
  return language === "rust" ? rustLine : undefined;
}

/** `# x` is not shown, `## x` is shown as `# x`, and `#[x]` and `#!x` are Rust. */
function rustLine(line: string): string | undefined {
  const [, before = "", next] = /^([ \t>]*)#(.?)/.exec(line) ?? [];
  if (next === "#") return before + line.slice(before.length + 1);
  return next === "" || next === " " || next === "\r" ? undefined : line;
}
