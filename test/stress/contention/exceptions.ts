// The operations that refuse some of many calls by design, because what they set off is large and a server has a bounded number
// of places for it. They refuse with a reason of their own, and say when to come again.

import type { OperationName } from "octavo";

export interface Bounded {
  /** The reason of those who find no place. */
  readonly reason: string;
  /** How many find one at once. */
  readonly places: number;
  readonly why: string;
}

const imports: Bounded = {
  reason: "imports_busy",
  places: 4,
  why: "an import may take 128 MiB of memory and five minutes, so a process carries out four at once (`imports.maxAtOnce`)",
};
const git: Bounded = {
  reason: "git_sync_busy",
  places: 40,
  why: "requests of a repository are carried out one after the other, so at most 40 of a space wait",
};
const specifications: Bounded = {
  reason: "openapi_spec_busy",
  places: 40,
  why: "sources of a specification are read one after the other, so at most 40 wait",
};

export const bounded: Partial<Record<OperationName, Bounded>> = {
  importContent: imports,
  importIntoPage: imports,
  importChangeRequestContent: imports,
  importIntoChangeRequestPage: imports,
  importFromGit: git,
  exportToGit: git,
  putOpenApiSpec: specifications,
};

/** Lists that hold so many things at the most: further calls are answered with 400. */
export const limited: Partial<Record<OperationName, number>> = { createSamlProvider: 50, createScimToken: 10 };
