// What is used of the state of an object: its SQLite, and its alarm. The types of Workers say more, and fit.

export type SqlValue = string | number | null;

export interface SqlCursorLike {
  toArray(): Record<string, unknown>[];
}

export interface SqlLike {
  // biome-ignore lint/suspicious/noExplicitAny: the types of Workers name the row before it is known.
  exec(query: string, ...values: any[]): SqlCursorLike;
}

/** The storage of an object whose class has SQLite (`new_sqlite_classes`). */
export interface ObjectStorageLike {
  readonly sql: SqlLike;
  transactionSync<T>(work: () => T): T;
  setAlarm(at: number): Promise<void>;
  getAlarm(): Promise<number | null>;
}

/** The state that an object is made with. */
export interface ObjectStateLike {
  readonly storage: ObjectStorageLike;
}

/** The rows of a statement, each with the columns that it names. */
export function queryRows<Row>(sql: SqlLike, query: string, ...values: SqlValue[]): Row[] {
  return sql.exec(query, ...values).toArray() as Row[];
}
