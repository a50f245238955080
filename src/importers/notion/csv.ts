// Parses comma-separated values, as spreadsheets and Notion write them: quoted if they hold a comma, a quote or a line break.

const UNQUOTED = /[^,\r\n]*/y;

interface CsvField {
  readonly value: string;
  /** The index after the field. */
  readonly end: number;
}

/** Returns the rows of a text, up to a limit. Every row ends with its line. A quote that is never closed ends with the text. */
export function parseCsv(text: string, maxRows: number): string[][] {
  const rows: string[][] = [];
  let position = text.startsWith("\ufeff") ? 1 : 0;
  while (position < text.length && rows.length < maxRows) {
    const row: string[] = [];
    for (let isLast = false; !isLast; ) {
      const { value, end } = parseField(text, position);
      row.push(value);
      isLast = text[end] !== ",";
      if (!isLast) position = end + 1;
      else if (text.startsWith("\r\n", end)) position = end + 2;
      else position = end < text.length ? end + 1 : end;
    }
    if (row.length > 1 || row[0] !== "") rows.push(row);
  }
  return rows;
}

/** Parses the field at an index, in quotes or not. */
function parseField(text: string, start: number): CsvField {
  const parts: string[] = [];
  let position = start;
  if (text[position] === '"') {
    do {
      // Two quotes stand for one in the value.
      if (parts.length > 0) parts.push('"');
      const quote = text.indexOf('"', position + 1);
      if (quote < 0) return { value: parts.join("") + text.slice(position + 1), end: text.length };
      parts.push(text.slice(position + 1, quote));
      position = quote + 1;
    } while (text[position] === '"');
  }
  UNQUOTED.lastIndex = position;
  const [rest] = UNQUOTED.exec(text)!;
  return { value: parts.join("") + rest, end: position + rest.length };
}
