// The items that an import or an export left out.

import { replaceControlCharacters } from "../framework/terminal";

/** An item that was not copied, and the reason. */
export interface OmittedItem {
  readonly resource: string;
  readonly reason: string;
}

export function formatOmittedItems(leftOut: readonly OmittedItem[]): string[] {
  return leftOut.map(
    ({ resource, reason }) => `Skipped: ${replaceControlCharacters(resource)}: ${replaceControlCharacters(reason)}`,
  );
}
