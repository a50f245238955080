// Classifies failed statements: whether they may have been applied, whether a retry may help, and a sentence that says what to do.
// PostgreSQL returns an error only after the transaction was rolled back, so a statement that failed with an SQLSTATE was not applied. If
// the connection ends before a response, the outcome is unknown.

import { Corrupt, StorageError, Unavailable } from "../adapter";

/** The meaning of a failed statement. */
export interface StatementFailure {
  readonly outcome: "none" | "unknown";
  /** True if a retry may succeed. */
  readonly isTransient: boolean;
  /** True if another transaction was faster. One of them always succeeds, so the number of retries is not limited. */
  readonly isRace: boolean;
  readonly error: StorageError;
}

/** The sentences for errors, by SQLSTATE. */
const sentences: Readonly<Record<string, string>> = {
  "08001": "No connection to PostgreSQL could be made",
  "25006": "The PostgreSQL server is read-only: it is a replica, or the old server after a failover. Name the primary",
  "28000": "PostgreSQL refuses the login; check user and password",
  "28P01": "PostgreSQL refuses the login; check user and password",
  "3D000": "The database does not exist; create it first",
  "40001": "Other transactions kept PostgreSQL from finishing this one; try again",
  "40P01": "Other transactions kept PostgreSQL from finishing this one; try again",
  "42501":
    "The role has not the rights it needs: USAGE on the schema, EXECUTE on its functions, " +
    "and SELECT, INSERT, UPDATE and DELETE on its tables; to migrate, CREATE on the database",
  "42P01": "A table of Octavo is missing in the schema; was it dropped?",
  "42883": "A function of Octavo is missing in the schema; was it dropped?",
  "3F000": "The schema is missing; was it dropped?",
  "53100": "The disk of PostgreSQL is full",
  "53300": "PostgreSQL has no connection left; raise max_connections, or lower those of this process",
  "55P03": "Another transaction holds the partition for too long; try again",
  "57014": "PostgreSQL has cancelled the statement; try again",
  "57P03": "PostgreSQL is starting or stopping; try again",
};

/** Codes of transactions that were rolled back because of others, if the server's default isolation is stricter. */
const races = /^(40001|40P01)$/;

/** Codes after which the same statement may succeed. */
const passing = /^(55P03|53300|57P03|57014)$/;

/** Codes of a connection that ended during a statement, which may or may not have been committed. */
const cut = /^(08(?!001|004)...|57P01|57P02)$/;

/** Codes of sockets and libraries for a connection that was never established, so that nothing was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT|08001|08004)$/;

export function classifyFailure(thrown: unknown): StatementFailure {
  if (thrown instanceof StorageError) {
    const outcome = thrown instanceof Unavailable ? thrown.outcome : "none";
    return { outcome, isTransient: false, isRace: false, error: thrown };
  }
  const code = getErrorCode(thrown);
  // The message of a connection error can be empty, and then its code says more.
  const reason = thrown instanceof Error ? thrown.message || code || thrown.name : String(thrown);
  if (/^XX00[12]$/.test(code)) {
    const error = new Corrupt(`PostgreSQL reports damage: ${reason}`, { cause: thrown });
    return { outcome: "none", isTransient: false, isRace: false, error };
  }
  // `pg` has no code for a timeout while it waits for a free connection of its pool or for a new one.
  const isUnsent = unsent.test(code) || /timeout exceeded when trying to connect/.test(reason);
  // Every SQLSTATE contains a digit, unlike codes such as `EPIPE`.
  const isState = /^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !cut.test(code);
  const outcome = isUnsent || isState ? "none" : "unknown";
  const what = sentences[code] ?? (isUnsent ? sentences["08001"]! : isState ? "PostgreSQL refused a statement" : CUT);
  const error = new Unavailable(`${what}. (${reason})`, { outcome, cause: thrown });
  const isRace = races.test(code);
  return { outcome, isTransient: isUnsent || isRace || passing.test(code) || outcome === "unknown", isRace, error };
}

const CUT = "The connection to PostgreSQL ended before an answer came; try again";

/** Returns the code of an error: that of PostgreSQL, the socket or the library. */
export function getErrorCode(thrown: unknown): string {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const { code } = error as { code?: unknown };
    if (typeof code === "string" && !(error instanceof StorageError)) return code;
    // Node tries all addresses of a host and throws all of their errors.
    if (error instanceof AggregateError && error.errors.length > 0) return getErrorCode(error.errors[0]);
  }
  return "";
}
