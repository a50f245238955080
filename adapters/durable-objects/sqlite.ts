// The part of an object's state that is used here: its SQLite database and its alarm. The types of Workers are assignable to these.

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

/** The state that the constructor of an object receives. */
export interface ObjectStateLike {
  readonly storage: ObjectStorageLike;
}

/** Returns the rows of a statement as objects with its columns. */
export function queryRows<Row>(sql: SqlLike, query: string, ...values: SqlValue[]): Row[] {
  return sql.exec(query, ...values).toArray() as Row[];
}
