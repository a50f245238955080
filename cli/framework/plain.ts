// Texts of other people on a terminal.

/** A text without characters that a terminal would obey: controls, and marks that turn the direction of a line. */
export function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}
