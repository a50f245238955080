// What an import or an export left out, as lines.

import { plain } from "../framework/plain";
import type { LeftOut } from "./copy-content";

export function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  return leftOut.map(({ resource, reason }) => `Left out: ${plain(resource)}: ${plain(reason)}`);
}
