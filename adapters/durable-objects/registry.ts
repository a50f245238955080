// The registry: the names of the partitions. A name is registered before the first commit of its partition, so no committed partition is
// missing. It is listed once a commit is known to have been made.

import { type ObjectStorageLike, queryRows } from "./sqlite";

export class Registry {
  readonly #storage: ObjectStorageLike;

  constructor(storage: ObjectStorageLike) {
    this.#storage = storage;
  }

  register(name: string): undefined {
    this.#createTable();
    this.#storage.sql.exec("INSERT INTO name VALUES (?, 0) ON CONFLICT (name) DO NOTHING", name);
  }

  confirm(names: readonly string[]): undefined {
    this.#createTable();
    for (const name of names) this.#storage.sql.exec("UPDATE name SET isSure = 1 WHERE name = ?", name);
  }

  names(after: string, limit: number): [name: string, isSure: boolean][] {
    if (queryRows(this.#storage.sql, "SELECT name FROM sqlite_master WHERE name = 'name'").length === 0) return [];
    const query = "SELECT name, isSure FROM name WHERE name > ? ORDER BY name LIMIT ?";
    const rows = queryRows<{ name: string; isSure: number }>(this.#storage.sql, query, after, limit);
    return rows.map(({ name, isSure }) => [name, isSure === 1]);
  }

  #createTable(): void {
    this.#storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS name (name TEXT PRIMARY KEY, isSure INTEGER NOT NULL) WITHOUT ROWID",
    );
  }
}
