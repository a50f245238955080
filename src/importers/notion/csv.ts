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
      const { value, end } = text[position] === '"' ? parseQuoted(text, position) : parseUnquoted(text, position);
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

function parseUnquoted(text: string, start: number): CsvField {
  UNQUOTED.lastIndex = start;
  const value = UNQUOTED.exec(text)![0];
  return { value, end: start + value.length };
}

function parseQuoted(text: string, start: number): CsvField {
  const parts: string[] = [];
  for (let position = start + 1; ; ) {
    const quote = text.indexOf('"', position);
    if (quote < 0) return { value: parts.join("") + text.slice(position), end: text.length };
    parts.push(text.slice(position, quote));
    if (text[quote + 1] !== '"') {
      const rest = parseUnquoted(text, quote + 1);
      return { value: parts.join("") + rest.value, end: rest.end };
    }
    parts.push('"');
    position = quote + 2;
  }
}
