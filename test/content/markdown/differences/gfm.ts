// Examples of GFM that the reader shows otherwise, by their numbers, each with its reason.

export const differences: ReadonlyMap<number, string> = new Map([]);
