// Fields: instructions in the text from which Word computes something, and the last result. Links are among them.

/** A field that has begun. */
interface OpenField {
  instruction: string;
  /** The instruction is complete, and the result follows. */
  isResult: boolean;
}

const HYPERLINK = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]+))?/i;
const HYPERLINK_ANCHOR = /\\l\s+(?:"([^"]*)"|(\S+))/i;
/** Fields whose results have no meaning outside of a printed document. */
const HIDDEN = /^\s*(?:TOC|PAGEREF|PAGE|NUMPAGES|SECTIONPAGES|INDEX|XE|TC|RD|TA|TOA)\b/i;

/** The fields that are open at a place. */
export class FieldStack {
  #open: OpenField[] = [];

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

  /** Ends all fields. A heading is never inside of a field, so a field that was not closed ends there. */
  reset(): void {
    this.#open = [];
  }

  instruct(text: string): void {
    const field = this.#open.at(-1);
    if (field && !field.isResult) field.instruction += text;
  }

  /** Text at this place is shown. */
  get isShown(): boolean {
    return this.#open.every(({ instruction, isResult }) => isResult && !HIDDEN.test(instruction));
  }

  /** The target of text at this place. */
  get href(): string | undefined {
    const link = this.#open.findLast(({ instruction, isResult }) => isResult && HYPERLINK.test(instruction));
    return link && parseHyperlink(link.instruction);
  }
}

/** Returns the target of an instruction, or undefined if it is not a link. */
export function parseHyperlink(instruction: string): string | undefined {
  const link = HYPERLINK.exec(instruction);
  if (!link) return undefined;
  const [, quotedAnchor, bareAnchor] = HYPERLINK_ANCHOR.exec(instruction) ?? [];
  const anchor = quotedAnchor ?? bareAnchor;
  const href = (link[1] ?? link[2] ?? "") + (anchor ? `#${anchor}` : "");
  return href === "" ? undefined : href;
}
