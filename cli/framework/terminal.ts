// The output of a command: results go to one stream, and everything about the progress to the other. Progress is a bar on a
// terminal, and single lines in a file.

/** A stream to write to. Streams of Node fit. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export interface Terminal {
  /** Writes a line of the result. */
  readonly print: (line: string) => void;
  /** Writes a line about the progress, or an error. */
  readonly tell: (line: string) => void;
  /** Starts to show the progress of a long task. */
  readonly progress: (label: string, total: number) => ProgressBar;
}

export interface ProgressBar {
  /** Shows how many items are done, with an optional remark. */
  readonly at: (done: number, more?: string) => void;
  /** Removes the bar. */
  readonly end: () => void;
}

const BAR_LENGTH = 24;

export function createTerminal(out: OutputStream, err: OutputStream): Terminal {
  /** The bar that is currently in the last line. */
  let currentBar = "";
  const clearBar = () => {
    if (currentBar !== "") err.write("\r\x1b[K");
    currentBar = "";
  };
  const writeLine = (stream: OutputStream, text: string) => {
    clearBar();
    stream.write(`${text}\n`);
  };
  const createBar = (label: string, total: number): ProgressBar => ({
    at(done, more) {
      const share = total === 0 ? 1 : Math.min(done / total, 1);
      const filled = Math.round(share * BAR_LENGTH);
      const bar = `[${"#".repeat(filled)}${"-".repeat(BAR_LENGTH - filled)}]`;
      const text = `${bar} ${done}/${total} ${label}${more === undefined ? "" : `, ${more}`}`;
      // A terminal that does not know its width reports 0.
      const fitting = text.slice(0, (err.columns || 80) - 1);
      if (fitting === currentBar) return;
      clearBar();
      err.write(fitting);
      currentBar = fitting;
    },
    end: clearBar,
  });
  /** Writes a line for each tenth, so that a log stays short. */
  const createProgressLines = (label: string, total: number): ProgressBar => {
    let writtenTenth = 0;
    return {
      at(done, more) {
        const tenth = total === 0 ? 10 : Math.floor((done / total) * 10);
        if (tenth <= writtenTenth) return;
        writtenTenth = tenth;
        writeLine(err, `${label}: ${done} of ${total}${more === undefined ? "" : `, ${more}`}`);
      },
      end: () => {},
    };
  };
  return {
    print: (text) => writeLine(out, text),
    tell: (text) => writeLine(err, text),
    progress: (label, total) => (err.isTTY ? createBar : createProgressLines)(replaceControlCharacters(label), total),
  };
}

/** Replaces the characters that a terminal would obey: control characters, and marks that change the text direction. */
export function replaceControlCharacters(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}
