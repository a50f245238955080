// Builds the package as it is published. From source, tsx would keep the name of every function, which slows down every
// closure that a request makes.

import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "tsup";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Where the built package stands. */
export const outDir = `${root}node_modules/.cache/octavo-bench/`;

process.chdir(root);
await build({ outDir, dts: false, sourcemap: false, silent: true });
const door = (name: string) => import(pathToFileURL(`${outDir}${name}.js`).href);

export const { createDocsApi }: typeof import("octavo") = await door("index");
export const { memoryStorage }: typeof import("octavo/memory") = await door("memory");
export const { levelStorage }: typeof import("octavo/level") = await door("level");
export const { postgresStorage }: typeof import("octavo/postgres") = await door("postgres");
export const { backup, copyStorage }: typeof import("octavo/storage-tools") = await door("storage-tools");
export const { createSandbox }: typeof import("octavo/sandbox") = await door("sandbox");
export const { nodeHandler }: typeof import("octavo/node") = await door("node");
export const { createSite }: typeof import("octavo/site") = await door("site");
