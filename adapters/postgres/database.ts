// The database of the storage. The first call connects and checks it, statements are retried where that helps, and every failure is
// converted to an error of the contract.

import { Closed, Corrupt, Unavailable } from "../adapter";
import { connect, createConnection, type PostgresClient, type PostgresConnection, type PostgresRow } from "./client";
import { classifyFailure, getErrorCode } from "./failure";
import { buildMigration, COMMIT, FORMAT, OLDEST_SERVER, PUT_BLOB } from "./schema";

export interface DatabaseOptions {
  readonly schema: string;
  readonly timeoutMs: number;
  readonly connections: number;
  readonly migrates: boolean;
}

/** The maximum number of times that a statement is sent. */
const MAX_ATTEMPTS = 8;
const NAMES_PER_PAGE = 200;

export class Database {
  readonly schema: string;
  readonly timeoutMs: number;
  readonly #location: string | PostgresClient;
  readonly #options: DatabaseOptions;
  #connecting: Promise<PostgresConnection> | undefined;
  #preparing: Promise<void> | undefined;
  #isPrepared = false;
  #closing: Promise<void> | undefined;
  readonly #pending = new Set<Promise<unknown>>();

  constructor(location: string | PostgresClient, options: DatabaseOptions) {
    this.schema = options.schema;
    this.timeoutMs = options.timeoutMs;
    this.#location = location;
    this.#options = options;
  }

  /** Throws if `close` has been called. */
  assertOpen(): void {
    if (this.#closing !== undefined) throw new Closed("The storage was closed.");
  }

  /** Returns the rows of a statement that only reads, or whose outcome does not matter. It may be sent twice. */
  async query(text: string, values: (string | null)[]): Promise<readonly PostgresRow[]> {
    return this.runWithTimeout(() => this.sendWithRetries(text, () => values));
  }

  /**
   * Returns the rows of a statement that writes and can safely be sent twice. An error with the outcome "none" is reliable: if the
   * statement has not been sent when the call times out, it is never sent.
   */
  async execute(text: string, values: (string | null)[]): Promise<readonly PostgresRow[]> {
    let mayHappen = false;
    let isGivenUp = false;
    return this.runWithTimeout(
      () =>
        this.sendWithRetries(text, () => {
          if (isGivenUp) throw this.createTimeoutError("none");
          mayHappen = true;
          return values;
        }),
      () => {
        isGivenUp = true;
        return mayHappen ? "unknown" : "none";
      },
    );
  }

  /**
   * Returns the rows of a statement, without a timeout for all attempts together. `getValues` is called before each attempt, with
   * whether an earlier attempt may have been applied.
   */
  async sendWithRetries(
    text: string,
    getValues: (isDoubtful: boolean) => (string | null)[],
  ): Promise<readonly PostgresRow[]> {
    const end = Date.now() + this.timeoutMs;
    await this.ensureReady();
    let isDoubtful = false;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#send(text, getValues(isDoubtful));
      } catch (thrown) {
        const failure = classifyFailure(thrown);
        isDoubtful ||= failure.outcome === "unknown";
        const mayRetry = failure.isTransient && (failure.isRace || attempt < MAX_ATTEMPTS);
        if (mayRetry && Date.now() < end) {
          await waitBeforeRetry(attempt);
          continue;
        }
        const { error, outcome } = failure;
        if (!isDoubtful || outcome === "unknown" || !(error instanceof Unavailable)) throw error;
        // An earlier attempt may have been applied.
        throw new Unavailable(error.message, { outcome: "unknown", cause: error });
      }
    }
  }

  /** Lists the names in a table, in order and page by page. */
  async *listNames(table: "partition" | "blob", after: string, condition = ""): AsyncGenerator<string> {
    for (let last = after; ; ) {
      const rows = await this.query(
        `SELECT name FROM ${this.schema}.${table} WHERE name > $1 ${condition} ORDER BY name LIMIT ${NAMES_PER_PAGE}`,
        [last],
      );
      for (const { name } of rows) {
        this.assertOpen();
        yield name!;
        last = name!;
      }
      if (rows.length < NAMES_PER_PAGE) return;
    }
  }

  /** Runs a call with a timeout. After it, statements that are still running end on their own, and their results are ignored. */
  async runWithTimeout<T>(call: () => Promise<T>, outcome: () => "none" | "unknown" = () => "none"): Promise<T> {
    let stop = () => {};
    const createTimeoutError = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(this.createTimeoutError(outcome())), this.timeoutMs);
      stop = () => clearTimeout(timer);
    });
    try {
      return await Promise.race([call(), createTimeoutError]);
    } finally {
      stop();
    }
  }

  createTimeoutError(outcome: "none" | "unknown"): Unavailable {
    return new Unavailable(`PostgreSQL gave no answer within ${this.timeoutMs} ms; try later.`, { outcome });
  }

  /** Resolves once the server and the tables have been checked. After a failure, the next call checks them again. */
  async ensureReady(): Promise<void> {
    if (this.#isPrepared) return;
    this.#preparing ??= this.#prepare().finally(() => {
      this.#preparing = undefined;
    });
    await this.#preparing;
  }

  /** Creates missing tables. Any number of processes may call it at once. */
  async migrate(): Promise<void> {
    this.assertOpen();
    await this.#runWithRetries(async () => {
      await this.#checkServer();
      if (!(await this.#isComplete())) await this.#send(buildMigration(this.schema), []);
    });
    this.#isPrepared = false;
    await this.ensureReady();
  }

  async #prepare(): Promise<void> {
    await this.#runWithRetries(async () => {
      await this.#checkServer();
      let isComplete = await this.#isComplete();
      if (!isComplete && this.#options.migrates) {
        await this.#send(buildMigration(this.schema), []);
        isComplete = await this.#isComplete();
      }
      if (!isComplete)
        throw new Unavailable(`The schema ${this.schema} has not all tables and functions; call migrate() first.`, {
          outcome: "none",
        });
    });
    this.#isPrepared = true;
  }

  /** Runs work that can safely be repeated, and retries it after transient failures. */
  async #runWithRetries(work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (thrown) {
        const failure = classifyFailure(thrown);
        if (failure.isTransient && attempt < MAX_ATTEMPTS) await waitBeforeRetry(attempt);
        else if (failure.error instanceof Unavailable)
          // The tables may have been created or not, but the call that waited for them has had no effect.
          throw new Unavailable(failure.error.message, { outcome: "none", cause: thrown });
        else throw failure.error;
      }
    }
  }

  async #checkServer(): Promise<void> {
    const [server] = await this.#send(
      `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name,
        current_setting('server_encoding') AS encoding, pg_is_in_recovery()::text AS "isReplica"`,
      [],
    );
    const { number, name, encoding, isReplica } = server!;
    const refuse = (message: string) => new Unavailable(message, { outcome: "none" });
    if (Number(number) < OLDEST_SERVER)
      throw refuse(`PostgreSQL ${name} is too old; Octavo needs ${OLDEST_SERVER / 10_000} or later.`);
    if (encoding !== "UTF8")
      throw refuse(`The database has the encoding ${encoding}; make one with the encoding UTF8.`);
    if (isReplica === "true") throw refuse(REPLICA);
  }

  /** Returns whether the tables and functions exist. Throws if the tables have another format. */
  async #isComplete(): Promise<boolean> {
    try {
      // The format of the tables, and whether the functions exist.
      const isThere = [COMMIT, PUT_BLOB].map((name) => `to_regproc('${this.schema}.${name}') IS NOT NULL`);
      const [row] = await this.#send(
        `SELECT format::text, (${isThere.join(" AND ")})::text AS "isWhole" FROM ${this.schema}.format`,
        [],
      );
      if (row && Number(row.format) !== FORMAT)
        throw new Corrupt(`The schema ${this.schema} is of the format ${row.format}; this version reads ${FORMAT}.`);
      return row?.isWhole === "true";
    } catch (thrown) {
      if (["42P01", "3F000"].includes(getErrorCode(thrown))) return false;
      throw thrown;
    }
  }

  async #send(text: string, values: (string | null)[]): Promise<readonly PostgresRow[]> {
    const connection = await this.#connect();
    const sending = connection.query(text, values);
    this.#pending.add(sending);
    return sending.finally(() => this.#pending.delete(sending));
  }

  #connect(): Promise<PostgresConnection> {
    this.#connecting ??=
      typeof this.#location === "string"
        ? connect(this.#location, this.#options).catch((error) => {
            this.#connecting = undefined;
            throw error;
          })
        : Promise.resolve(createConnection(this.#location, this.timeoutMs));
    return this.#connecting;
  }

  /** Listens on the channel of the schema until the returned function is called. Returns undefined if the client cannot listen. */
  async listen(hear: (payload: string) => void, lost: () => void): Promise<(() => Promise<void>) | undefined> {
    return (await this.#connect()).listen?.(this.schema, hear, lost);
  }

  /** Closes the connections after `finished` has resolved and all statements have ended. */
  close(finished: () => Promise<void>): Promise<void> {
    this.#closing ??= Promise.resolve().then(async () => {
      await finished();
      await Promise.allSettled([...this.#pending]);
      const connection = await this.#connecting?.catch(() => undefined);
      await connection?.close();
    });
    return this.#closing;
  }
}

export const REPLICA = "The PostgreSQL server is a replica, which lags behind; name the primary.";

/** Waits 5 to 10 ms after the first attempt, twice that after the second, and at most half a second. */
function waitBeforeRetry(attempt: number): Promise<void> {
  const longest = Math.min(500, 10 * 2 ** (attempt - 1));
  return new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
}
