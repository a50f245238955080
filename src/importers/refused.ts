// Why an import did not happen at all, or not wholly.

/** Nothing could be imported. The message is a sentence for the person who asked for it. */
export class ImportRefused extends Error {
  override readonly name = "ImportRefused";
}

/** A page has more in it than a page may have. Whoever imports several pages leaves it out. */
export class PageTooLong extends ImportRefused {}

/** Returns the reason if an error says that a page is too long, and throws any other error. */
export function reasonIfTooLong(error: unknown): string {
  if (error instanceof PageTooLong) return error.message;
  throw error;
}

/** What whoever runs the server can set to have more imported. */
export function howToRaise(limit: "maxPages" | "maxFiles" | "maxBytes" | "maxSeconds"): string {
  const variable = `IMPORT_${limit.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
  return `The option \`imports.${limit}\`, or ${variable} of \`octavo serve\`, raises this limit.`;
}
