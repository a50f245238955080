// What a failed statement means: whether it may have happened, whether it is worth another try, and a sentence that says
// what to do. PostgreSQL answers an error only when the transaction was rolled back, so everything that has a code of its
// own has not happened; a connection that ends before an answer leaves doubt.

import { Corrupt, StorageError, Unavailable } from "../adapter";

export interface StatementFailure {
  readonly outcome: "none" | "unknown";
  /** Whether another try may do better. */
  readonly isTransient: boolean;
  /** Whether others were faster: there will always be one who is the fastest, so there is no end of tries. */
  readonly isRace: boolean;
  readonly error: StorageError;
}

const sentences: Readonly<Record<string, string>> = {
  "08001": "No connection to PostgreSQL could be made",
  "25006": "The PostgreSQL server is read-only: it is a replica, or the old server after a failover. Name the primary",
  "28000": "PostgreSQL refuses the login; check user and password",
  "28P01": "PostgreSQL refuses the login; check user and password",
  "3D000": "The database does not exist; create it first",
  "40001": "Other transactions kept PostgreSQL from finishing this one; try again",
  "40P01": "Other transactions kept PostgreSQL from finishing this one; try again",
  "42501":
    "The role has not the rights it needs: USAGE on the schema, EXECUTE on its functions, and SELECT, INSERT, UPDATE and DELETE on its tables; to migrate, CREATE on the database",
  "42P01": "A table of Octavo is missing in the schema; was it dropped?",
  "42883": "A function of Octavo is missing in the schema; was it dropped?",
  "3F000": "The schema is missing; was it dropped?",
  "53100": "The disk of PostgreSQL is full",
  "53300": "PostgreSQL has no connection left; raise max_connections, or lower those of this process",
  "55P03": "Another transaction holds the partition for too long; try again",
  "57014": "PostgreSQL has cancelled the statement; try again",
  "57P03": "PostgreSQL is starting or stopping; try again",
};

/** Codes of transactions that met others. They are rolled back where the server's default is a stricter isolation. */
const races = /^(40001|40P01)$/;

/** Codes after which the same statement may succeed. */
const passing = /^(55P03|53300|57P03|57014)$/;

/** Codes of a connection that ended under a statement, which may or may not have been committed. */
const cut = /^(08(?!001|004)...|57P01|57P02)$/;

/** Codes of sockets and libraries for a connection that was never made: nothing was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT|08001|08004)$/;

/** What became of a statement that threw. */
export function classifyFailure(thrown: unknown): StatementFailure {
  if (thrown instanceof StorageError) {
    const outcome = thrown instanceof Unavailable ? thrown.outcome : "none";
    return { outcome, isTransient: false, isRace: false, error: thrown };
  }
  const code = getErrorCode(thrown);
  const reason = reasonOf(thrown);
  if (/^XX00[12]$/.test(code)) {
    const error = new Corrupt(`PostgreSQL reports damage: ${reason}`, { cause: thrown });
    return { outcome: "none", isTransient: false, isRace: false, error };
  }
  // `pg` waits for a free connection of its pool as long as for a new one, and gives no code to either.
  const isUnsent = unsent.test(code) || /timeout exceeded when trying to connect/.test(reason);
  // Every state of PostgreSQL has a digit: `EPIPE` is none.
  const isState = /^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !cut.test(code);
  const outcome = isUnsent || isState ? "none" : "unknown";
  const what = sentences[code] ?? (isUnsent ? sentences["08001"]! : isState ? "PostgreSQL refused a statement" : CUT);
  const error = new Unavailable(`${what}. (${reason})`, { outcome, cause: thrown });
  const isRace = races.test(code);
  return { outcome, isTransient: isUnsent || isRace || passing.test(code) || outcome === "unknown", isRace, error };
}

const CUT = "The connection to PostgreSQL ended before an answer came; try again";

/** The code of an error: of PostgreSQL, of the socket or of the library. */
export function getErrorCode(thrown: unknown): string {
  for (let at = thrown; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === "string" && !(at instanceof StorageError)) return code;
    // Node tries all addresses of a host, and gives the errors of all.
    if (at instanceof AggregateError && at.errors.length > 0) return getErrorCode(at.errors[0]);
  }
  return "";
}

/** The message of an error. That of a connection can be empty, and then its code says more. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.message || getErrorCode(thrown) || thrown.name;
}
