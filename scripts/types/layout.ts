// How types are laid out as text: on one line where they fit, with comments above what they speak of.

/** The longest line that is not broken. Lines are indented later, mostly by two. */
const LINE = 117;

function fits(text: string): boolean {
  return text.length <= LINE && !text.includes("\n");
}

/** Types of which one holds. */
export function union(types: readonly string[]): string {
  const different = [...new Set(types)];
  const line = different.join(" | ");
  if (different.length === 1 || fits(line)) return line;
  return different.map((type) => `\n  | ${type.replaceAll("\n", "\n  ")}`).join("");
}

/** A list of items of one of these types. */
export function listOf(types: readonly string[]): string {
  const item = union(types);
  if (item.startsWith("\n")) return `Array<${item}\n>`;
  return types.length > 1 ? `(${item})[]` : `${item}[]`;
}

/** A type with members. */
export function object(members: readonly string[]): string {
  if (members.length === 0) return "{}";
  const line = `{ ${members.join("; ")} }`;
  return fits(line) ? line : body(members);
}

/** The same, with a line for each member. */
export function body(members: readonly string[]): string {
  return `{\n${members.map((member) => `${member};`.replaceAll(/^(?=.)/gm, "  ")).join("\n")}\n}`;
}

/** A member of an object. */
export function member(name: string, type: string, { isOptional = false, about = "" } = {}): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return `${comment(about)}${key}${isOptional ? "?" : ""}:${after(type)}`;
}

/** What follows a colon or an equals sign. */
export function after(type: string): string {
  return type.startsWith("\n") ? type : ` ${type}`;
}

/** A comment on what follows; nothing where there is nothing to say. */
export function comment(about: string): string {
  if (about === "") return "";
  const lines = about.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}
