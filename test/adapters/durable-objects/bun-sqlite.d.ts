// The part of Bun's SQLite that the simulation uses.

declare module "bun:sqlite" {
  export class Database {
    constructor(name: string);
    query(statement: string): { all(...values: unknown[]): Record<string, unknown>[] };
    close(): void;
  }
}
