// Why an import did not happen at all.

/** Nothing could be imported. The message is a sentence for the person who asked for it. */
export class ImportRefused extends Error {
  override readonly name = "ImportRefused";
}
