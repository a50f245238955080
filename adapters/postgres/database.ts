// The database under the storage: connected and checked with the first call, statements repeated where that helps, and
// every failure turned into an error of the contract.

import { Closed, Corrupt, Unavailable } from "../adapter";
import { connect, createConnection, type PostgresClient, type PostgresConnection, type PostgresRow } from "./client";
import { classifyFailure, getErrorCode, type StatementFailure } from "./failure";
import { buildMigration, FORMAT, formatQuery, OLDEST_SERVER } from "./schema";

export interface DatabaseOptions {
  readonly schema: string;
  readonly timeoutMs: number;
  readonly connections: number;
  readonly migrates: boolean;
}

/** How often a statement is sent, at most. */
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
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(location: string | PostgresClient, options: DatabaseOptions) {
    this.schema = options.schema;
    this.timeoutMs = options.timeoutMs;
    this.#location = location;
    this.#options = options;
  }

  /** Throws once `close` was called. */
  assertOpen(): void {
    if (this.#closing !== undefined) throw new Closed("The storage was closed.");
  }

  /** The rows of a statement that only reads, or of which nobody asks whether it happened. It may be sent twice. */
  async query(text: string, values: (string | null)[]): Promise<readonly PostgresRow[]> {
    return this.runWithTimeout(() => this.sendWithRetries(text, () => values));
  }

  /** The rows of a statement that writes, and may be sent twice without harm. Whoever hears that nothing happened can rely
   * on it: what was not sent when the time of the call was over never is. */
  async execute(text: string, values: (string | null)[]): Promise<readonly PostgresRow[]> {
    let mayHappen = false;
    let isGivenUp = false;
    return this.runWithTimeout(
      () =>
        this.sendWithRetries(text, () => {
          if (isGivenUp) throw this.late("none");
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
   * The same, without a limit of time for all tries together. `values` is asked before each try, with whether an earlier
   * one may have happened.
   */
  async sendWithRetries(
    text: string,
    values: (isDoubtful: boolean) => (string | null)[],
  ): Promise<readonly PostgresRow[]> {
    const end = Date.now() + this.timeoutMs;
    await this.ensureReady();
    let isDoubtful = false;
    for (let turn = 1; ; turn++) {
      try {
        return await this.#send(text, values(isDoubtful));
      } catch (thrown) {
        const failure = classifyFailure(thrown);
        isDoubtful ||= failure.outcome === "unknown";
        const isWorthIt = failure.isTransient && (failure.isRace || turn < MAX_ATTEMPTS);
        if (isWorthIt && Date.now() < end) {
          await waitBeforeRetry(turn);
          continue;
        }
        throw isDoubtful ? asUnknown(failure) : failure.error;
      }
    }
  }

  /** The names in a table, in order and part by part. */
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

  /** Waits for a call no longer than it may take. What is under way then ends by itself, and nobody hears of it. */
  async runWithTimeout<T>(call: () => Promise<T>, outcome: () => "none" | "unknown" = () => "none"): Promise<T> {
    let stop = () => {};
    const createTimeoutError = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(this.late(outcome())), this.timeoutMs);
      stop = () => clearTimeout(timer);
    });
    try {
      return await Promise.race([call(), createTimeoutError]);
    } finally {
      stop();
    }
  }

  late(outcome: "none" | "unknown"): Unavailable {
    return new Unavailable(`PostgreSQL gave no answer within ${this.timeoutMs} ms; try later.`, { outcome });
  }

  /** Resolves once the server and the tables were found fit. A failure is not kept, so the next call asks again. */
  async ensureReady(): Promise<void> {
    if (this.#isPrepared) return;
    this.#preparing ??= this.#prepare().finally(() => {
      this.#preparing = undefined;
    });
    await this.#preparing;
  }

  /** Makes the tables where they are missing. Any number of processes may call it at once. */
  async migrate(): Promise<void> {
    this.assertOpen();
    await this.#trying(async () => {
      await this.#checkServer();
      if (!(await this.#isWhole())) await this.#send(buildMigration(this.schema), []);
    });
    this.#isPrepared = false;
    await this.ensureReady();
  }

  async #prepare(): Promise<void> {
    await this.#trying(async () => {
      await this.#checkServer();
      let isWhole = await this.#isWhole();
      if (!isWhole && this.#options.migrates) {
        await this.#send(buildMigration(this.schema), []);
        isWhole = await this.#isWhole();
      }
      if (!isWhole)
        throw new Unavailable(`The schema ${this.schema} has not all tables and functions; call migrate() first.`, {
          outcome: "none",
        });
    });
    this.#isPrepared = true;
  }

  /** Tries again what fails in passing. All of it may be done twice. */
  async #trying(work: () => Promise<void>): Promise<void> {
    for (let turn = 1; ; turn++) {
      try {
        return await work();
      } catch (thrown) {
        const failure = classifyFailure(thrown);
        if (failure.isTransient && turn < MAX_ATTEMPTS) await waitBeforeRetry(turn);
        else if (failure.error instanceof Unavailable)
          // The tables may be made or not. The call that waited for them has done nothing.
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
    const refused = (message: string) => new Unavailable(message, { outcome: "none" });
    if (Number(number) < OLDEST_SERVER)
      throw refused(`PostgreSQL ${name} is too old; Octavo needs ${OLDEST_SERVER / 10_000} or later.`);
    if (encoding !== "UTF8")
      throw refused(`The database has the encoding ${encoding}; make one with the encoding UTF8.`);
    if (isReplica === "true") throw refused(REPLICA);
  }

  /** Whether the tables and functions are there. Throws if the tables are of another format. */
  async #isWhole(): Promise<boolean> {
    try {
      const [row] = await this.#send(formatQuery(this.schema), []);
      if (row && Number(row.format) !== FORMAT)
        throw new Corrupt(`The schema ${this.schema} is of the format ${row.format}; this version reads ${FORMAT}.`);
      return row?.isWhole === "true";
    } catch (thrown) {
      if (["42P01", "3F000"].includes(getErrorCode(thrown))) return false;
      throw thrown;
    }
  }

  async #send(text: string, values: (string | null)[]): Promise<readonly PostgresRow[]> {
    const connection = await this.#connection();
    const sending = connection.query(text, values);
    this.#underWay.add(sending);
    return sending.finally(() => this.#underWay.delete(sending));
  }

  #connection(): Promise<PostgresConnection> {
    this.#connecting ??=
      typeof this.#location === "string"
        ? connect(this.#location, this.#options).catch((error) => {
            this.#connecting = undefined;
            throw error;
          })
        : Promise.resolve(createConnection(this.#location, this.timeoutMs));
    return this.#connecting;
  }

  /** Hears what is told on the channel of the schema, until the end that it gives; undefined where the client cannot. */
  async listen(hear: (told: string) => void, lost: () => void): Promise<(() => Promise<void>) | undefined> {
    return (await this.#connection()).listen?.(this.schema, hear, lost);
  }

  /** Closes when `finished` has come and nothing is under way. */
  close(finished: () => Promise<void>): Promise<void> {
    this.#closing ??= Promise.resolve().then(async () => {
      await finished();
      await Promise.allSettled([...this.#underWay]);
      const connection = await this.#connecting?.catch(() => undefined);
      await connection?.close();
    });
    return this.#closing;
  }
}

export const REPLICA = "The PostgreSQL server is a replica, which lags behind; name the primary.";

/** The failure of a statement of which an earlier try may have happened. */
function asUnknown({ error, outcome }: StatementFailure): Error {
  if (outcome === "unknown" || !(error instanceof Unavailable)) return error;
  return new Unavailable(error.message, { outcome: "unknown", cause: error });
}

/** 5 to 10 ms after the first try, twice that after the second, at most half a second. */
function waitBeforeRetry(turn: number): Promise<void> {
  const longest = Math.min(500, 10 * 2 ** (turn - 1));
  return new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
}
