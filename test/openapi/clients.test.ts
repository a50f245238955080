// Clients that two public generators make of openapi.json: strict TypeScript takes them, their types have the names of the
// document, and they work against a running server.

import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createClient } from "@hey-api/openapi-ts";
import { Validator } from "@seriousme/openapi-schema-validator";
import { createDocsApi, type DocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);

let folder: string;
let api: DocsApi;
let server: Server;
let names: string[];
/** What the generators had to say. */
const said: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "octavo-clients-"));
  await symlink(at("../node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await cp(at("./clients"), folder, { recursive: true });
  const document = JSON.parse(await readFile(at("../../openapi.json"), "utf8"));
  names = Object.keys(document.components.schemas);
  for (const level of ["warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((...words) => said.push(words.join(" ")));
  await writeFile(join(folder, "schema.ts"), astToString(await openapiTS(document)));
  await createClient({
    input: at("../../openapi.json"),
    output: join(folder, "sdk"),
    plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
    logs: { level: "warn", file: false },
  });
  vi.restoreAllMocks();
  api = createDocsApi(memoryStorage());
  server = createServer(nodeHandler(api));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await api.close();
  await rm(folder, { recursive: true });
});

test("the generators have nothing to complain of", () => {
  expect(said).toEqual([]);
});

test("a validator of OpenAPI has nothing to complain of", async () => {
  const { valid, errors } = await new Validator().validate(
    JSON.parse(await readFile(at("../../openapi.json"), "utf8")),
  );
  expect(valid ? [] : errors).toEqual([]);
});

test("every type of the document has its own name in the clients, and none was renamed", async () => {
  const sdk = await readFile(join(folder, "sdk/types.gen.ts"), "utf8");
  const exported = new Set([...sdk.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name!));
  expect(names.filter((name) => !exported.has(name))).toEqual([]);
  const known = new Set(names);
  expect([...exported].filter((name) => /\d$/.test(name) && !known.has(name))).toEqual([]);
  const schema = await readFile(join(folder, "schema.ts"), "utf8");
  const members = new Set([...schema.matchAll(/^ {8}(\w+): /gm)].map(([, name]) => name!));
  expect(names.filter((name) => !members.has(name))).toEqual([]);
});

test("strict TypeScript takes the clients and what is made with them", async () => {
  const tsc = at("../node_modules/typescript-native/bin/tsc");
  const flags = ["--noEmit", "--strict", "--module", "esnext", "--target", "es2022"];
  const more = ["--moduleResolution", "bundler", "--lib", "es2022,dom,dom.iterable", "--types", "", "--skipLibCheck"];
  const files = ["use-fetch.ts", "use-sdk.ts"].map((name) => join(folder, name));
  const told = await run(process.execPath, [tsc, ...flags, ...more, ...files], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(told.stdout).toBe("");
});

test.concurrent.each(["use-fetch.ts", "use-sdk.ts"])("%s works against a server", async (name) => {
  const { token, organization } = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: `Letters of ${name}` },
    token: { label: name },
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const loader = pathToFileURL(at("../../node_modules/tsx/dist/esm/index.mjs")).href;
  const { stdout } = await run(process.execPath, ["--import", loader, join(folder, name)], {
    env: { ...process.env, URL: url, TOKEN: token!, ORGANIZATION: organization! },
  });
  expect(JSON.parse(stdout)).toEqual({ made: "Writers", listed: ["Writers"], refused: "title_taken", missing: 404 });
});
