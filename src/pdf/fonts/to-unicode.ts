// The table from the codes of a font to their text, which makes a file searchable.

import { toHex, toUtf16Hex } from "../file/syntax";

/** The maximum number of entries in one `beginbfchar` block, by the PDF specification. */
const MAX_ENTRIES_PER_BLOCK = 100;

/** Formats the table for codes with this number of hexadecimal digits. Codes without text are left out. */
export function formatToUnicodeMap(texts: readonly (string | undefined)[], digits: 2 | 4): string {
  const known = Array.from(texts, (text, code) =>
    text ? [`<${toHex(code, digits)}> <${toUtf16Hex(text)}>`] : [],
  ).flat();
  const parts = Array.from({ length: Math.ceil(known.length / MAX_ENTRIES_PER_BLOCK) }, (_, at) => {
    const part = known.slice(at * MAX_ENTRIES_PER_BLOCK, (at + 1) * MAX_ENTRIES_PER_BLOCK);
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
