// The few texts that the printer itself writes. The default is English.

export interface PrinterMessages {
  /** Above the table of contents. */
  readonly contents: string;
  /** Above the notes of a page. */
  readonly notes: string;
  /** In place of a block that could not be printed. */
  readonly unprinted: string;
  /** In place of a picture that could not be printed and has no alternative text. */
  readonly picture: string;
  /** At the end of a document that is too long. */
  readonly cut: string;
  /** At the end of a page that is too long. */
  readonly cutPage: string;
  /** At the end of a document with characters that no font has. */
  readonly boxes: string;
}

export const ENGLISH: PrinterMessages = {
  contents: "Contents",
  notes: "Notes",
  unprinted: "This part could not be printed.",
  picture: "Picture",
  cut: "The document is too long to be printed in one piece and ends here.",
  cutPage: "The page is too long to be printed whole and ends here.",
  boxes: "Some characters are shown as empty boxes, because none of the fonts has them.",
};
