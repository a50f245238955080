// Values between commas, as spreadsheets and Notion write them: quoted where they hold a comma, a quote or a line ending.

/** The rows of a text, at most so many. Every row ends with its line; a quote that is never closed ends with the text. */
export function parseCsv(text: string, limit: number): string[][] {
  const rows: string[][] = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  while (at < text.length && rows.length < limit) {
    const row: string[] = [];
    for (let isLast = false; !isLast; ) {
      const field = text[at] === '"' ? quotedField(text, at) : plainField(text, at);
      row.push(field.value);
      isLast = text[field.end] !== ",";
      at = isLast ? afterLine(text, field.end) : field.end + 1;
    }
    if (row.length > 1 || row[0] !== "") rows.push(row);
  }
  return rows;
}

interface Field {
  readonly value: string;
  readonly end: number;
}

const PLAIN = /[^,\r\n]*/y;

function plainField(text: string, at: number): Field {
  PLAIN.lastIndex = at;
  const value = PLAIN.exec(text)![0];
  return { value, end: at + value.length };
}

function quotedField(text: string, at: number): Field {
  const parts: string[] = [];
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { value: parts.join("") + text.slice(from), end: text.length };
    parts.push(text.slice(from, quote));
    if (text[quote + 1] !== '"') {
      const rest = plainField(text, quote + 1);
      return { value: parts.join("") + rest.value, end: rest.end };
    }
    parts.push('"');
    from = quote + 2;
  }
}

function afterLine(text: string, end: number): number {
  if (text.startsWith("\r\n", end)) return end + 2;
  return end < text.length ? end + 1 : end;
}
