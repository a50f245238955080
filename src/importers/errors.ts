// The errors of imports. Their messages are sentences for the user who started the import.

/** Nothing could be imported. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/** A page has more content than a page may have. An import of several pages leaves it out. */
export class PageTooLongError extends ImportError {}

/** Returns the reason if an error says that a page is too long, and throws any other error. */
export function getTooLongReason(error: unknown): string {
  if (error instanceof PageTooLongError) return error.message;
  throw error;
}

/** Returns a sentence that names the option of the host that raises a limit. */
export function describeLimitOption(limit: "maxPages" | "maxFiles" | "maxBytes" | "maxSeconds"): string {
  const variable = `IMPORT_${limit.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
  return `The option \`imports.${limit}\`, or ${variable} of \`octavo serve\`, raises this limit.`;
}
