// What a command writes: results on the one stream, everything about the way there on the other. Progress is a bar where a
// person watches, and single lines where it goes into a file.

import { plain } from "./plain";

/** A place to write to. A stream of Node is one. */
export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export interface Terminal {
  /** A line of the result. */
  readonly print: (line: string) => void;
  /** A line about the way there, or an error. */
  readonly tell: (line: string) => void;
  /** Begins something that takes long. */
  readonly progress: (label: string, total: number) => Progress;
}

export interface Progress {
  /** So much is done; `more` is said beside it. */
  readonly at: (done: number, more?: string) => void;
  /** Takes the bar away. */
  readonly end: () => void;
}

const BAR_LENGTH = 24;

export function createTerminal(out: Sink, err: Sink): Terminal {
  /** The bar that stands in the last line at present. */
  let shown = "";
  const wipe = () => {
    if (shown !== "") err.write("\r\x1b[K");
    shown = "";
  };
  const line = (to: Sink, text: string) => {
    wipe();
    to.write(`${text}\n`);
  };
  const bar = (label: string, total: number): Progress => ({
    at(done, more) {
      const share = total === 0 ? 1 : Math.min(done / total, 1);
      const full = Math.round(share * BAR_LENGTH);
      const text = `[${"#".repeat(full)}${"-".repeat(BAR_LENGTH - full)}] ${done}/${total} ${label}${more === undefined ? "" : `, ${more}`}`;
      // A terminal that does not know its width says 0.
      const fitting = text.slice(0, (err.columns || 80) - 1);
      if (fitting === shown) return;
      wipe();
      err.write(fitting);
      shown = fitting;
    },
    end: wipe,
  });
  /** A line for each tenth, so that a log stays short. */
  const lines = (label: string, total: number): Progress => {
    let told = 0;
    return {
      at(done, more) {
        const tenth = total === 0 ? 10 : Math.floor((done / total) * 10);
        if (tenth <= told) return;
        told = tenth;
        line(err, `${label}: ${done} of ${total}${more === undefined ? "" : `, ${more}`}`);
      },
      end: () => {},
    };
  };
  return {
    print: (text) => line(out, text),
    tell: (text) => line(err, text),
    progress: (label, total) => (err.isTTY ? bar : lines)(plain(label), total),
  };
}
