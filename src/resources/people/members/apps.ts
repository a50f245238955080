// Installations of integrations act with tokens of their own. Each is as a guest is: it has what it was put on, and nothing
// else. What it was put on is known to the wing of integrations, which fills this hook.

import { hook } from "../../../hook";
import type { Scope } from "../../../operation/operation";
import { codeOf, type Place } from "../../../store/ids";
import type { Reader, Transaction } from "../../../store/transaction";
import type { Work } from "../../../work/jobs";

/** What must be known of an installation that acts. */
export interface Apps {
  /** When it was installed; undefined while it may not act: it is paused, or gone. */
  readonly installedAt: (tx: Reader, id: string) => Promise<string | undefined>;
  /** The spaces that it may work in; `all` where it is on every one. */
  readonly spacesOf: (tx: Reader, id: string) => Promise<readonly string[] | "all">;
  readonly isOn: (tx: Reader, id: string, kind: "space" | "site", place: string) => Promise<boolean>;
  /** Takes installations off a space or site that is gone from a partition, and tells them; true: there may be more. */
  readonly leave: (work: Work, at: Place, tx: Transaction, kind: "space" | "site", place: string) => Promise<boolean>;
  /** Whether it holds a scope to read content. */
  readonly mayReadContent: (scope: Pick<Scope, "tx" | "peek">, id: string) => Promise<boolean>;
}

export const apps = hook<Apps>("what installations may do");

/** Whether an id is one of an installation. */
export function isInstallation(id: string): boolean {
  return codeOf("installation", id) !== undefined;
}
