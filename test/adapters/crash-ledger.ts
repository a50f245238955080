// What the killed process writes and the test checks: accounts in each partition, and three markers for each transfer.

import type { Key } from "../../src/storage/storage";

export const partitions = ["bank-a", "bank-b"];
export const accounts = 200;
export const workers = 24;
/** What each account begins with. */
export const opening = 1000;

export const accountKey = (i: number): Key => `account/${i}`;
export const markerKeys = (id: string): Key[] => [0, 1, 2].map((part) => `marker/${id}/${part}`);
/** The transfer that a marker belongs to. */
export const transferOf = (key: Key): string => key.split("/")[1]!;
