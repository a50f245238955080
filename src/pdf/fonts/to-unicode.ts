// The table that says which text the codes of a font stand for: what makes a file searchable.

import { hexadecimal, utf16 } from "../file/syntax";

/** Entries that a part of the table may have. */
const A_PART = 100;

/** The table for codes of so many hexadecimal digits; a code without text is left out. */
export function toUnicode(texts: readonly (string | undefined)[], digits: 2 | 4): string {
  const known = Array.from(texts, (text, code) =>
    text ? [`<${hexadecimal(code, digits)}> <${utf16(text)}>`] : [],
  ).flat();
  const parts = Array.from({ length: Math.ceil(known.length / A_PART) }, (_, at) => {
    const part = known.slice(at * A_PART, (at + 1) * A_PART);
    return `${part.length} beginbfchar\n${part.join("\n")}\nendbfchar`;
  });
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<${"0".repeat(digits)}> <${"F".repeat(digits)}>
endcodespacerange
${parts.join("\n")}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}
