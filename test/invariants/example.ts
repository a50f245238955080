// The form of an example: a good request for an operation, and what becomes of it for each person.

import { type Person, people } from "../support/setting";

/** The status for each person; what is not named succeeds. */
export type Matrix = Partial<Record<Person, 400 | 403 | 404 | 409 | "nothing">>;

export interface Example {
  /** A method and a path. */
  readonly ask: string;
  readonly send?: unknown;
  readonly who: Matrix;
  /** Scopes that a token needs beside that of the operation, because of what the answer opens. */
  readonly alsoScopes?: readonly string[];
  /** Bodies or queries that name something of another organization: each must be refused, or find nothing. */
  readonly foreign?: readonly {
    readonly at: string;
    /** Default: the first who may. */
    readonly as?: Person;
    readonly ask?: string;
    readonly send?: unknown;
    readonly finds?: "nothing";
  }[];
}

/** A request, and who may make it. */
export function allow(ask: string, who: Matrix, more: Partial<Example> = {}): Example {
  return { ask, who, ...more };
}

/** Everybody but one is refused. */
export function exceptFor(person: Person, outcome: 403 | 404 | "nothing"): Matrix {
  return Object.fromEntries(people.filter((other) => other !== person).map((other) => [other, outcome]));
}

/** Somebody for whom the request succeeds. */
export function allowedPerson({ who }: Example): Person {
  return (["admin", ...people] as const).find((person) => who[person] === undefined)!;
}
