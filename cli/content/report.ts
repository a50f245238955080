// What an import or an export left out, as lines.

import { plain } from "../plain";
import type { LeftOut } from "./copy";

export function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  return leftOut.map(({ resource, reason }) => `Left out: ${plain(resource)}: ${plain(reason)}`);
}
