// Fields: instructions in the text that Word computes something from, and what it last computed. Links are among them.

/** A field that has begun. */
interface Field {
  instruction: string;
  /** Whether its instruction is over, and its result follows. */
  isResult: boolean;
}

const HYPERLINK = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]+))?/i;
const PLACE = /\\l\s+(?:"([^"]*)"|(\S+))/i;
/** Fields whose results have no meaning outside of a printed document. */
const HIDDEN = /^\s*(?:TOC|PAGEREF|PAGE|NUMPAGES|SECTIONPAGES|INDEX|XE|TC|RD|TA|TOA)\b/i;

/** The fields that are open at a place. */
export class Fields {
  #open: Field[] = [];

  begin(): void {
    this.#open.push({ instruction: "", isResult: false });
  }

  separate(): void {
    const field = this.#open.at(-1);
    if (field) field.isResult = true;
  }

  end(): void {
    this.#open.pop();
  }

  /** A heading is never inside a field, so a field that was not closed ends there. */
  reset(): void {
    this.#open = [];
  }

  instruct(text: string): void {
    const field = this.#open.at(-1);
    if (field && !field.isResult) field.instruction += text;
  }

  /** Whether text at this place is shown. */
  get isShown(): boolean {
    return this.#open.every(({ instruction, isResult }) => isResult && !HIDDEN.test(instruction));
  }

  /** Where text at this place leads to. */
  get href(): string | undefined {
    const link = this.#open.findLast(({ instruction, isResult }) => isResult && HYPERLINK.test(instruction));
    return link && hrefIn(link.instruction);
  }
}

/** Where an instruction leads to, if it is a link. */
export function hrefIn(instruction: string): string | undefined {
  const found = HYPERLINK.exec(instruction);
  if (!found) return undefined;
  const place = PLACE.exec(instruction);
  const anchor = place && (place[1] ?? place[2]);
  const href = (found[1] ?? found[2] ?? "") + (anchor ? `#${anchor}` : "");
  return href === "" ? undefined : href;
}
