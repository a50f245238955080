// Writes the skeleton of a new operation: `npm run generate:operation -- "GET /orgs/:organizationId/teams/:teamId/x" getTeamX`. It copies
// the nearest operation, or the one that is named as a third argument.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { allOperations } from "../src/operations";
import { addSkeleton, EXAMPLES, findNearest, type Sources } from "./operation/skeleton";

const [route = "", name = "", original] = process.argv.slice(2);
const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S+)$/.exec(route) ?? [];
if (method === undefined || path === undefined || !/^[a-z]\w+$/.test(name))
  throw new Error('Expected a route and a name: "GET /orgs/:organizationId/teams/:teamId/x" getTeamX');
if (allOperations().some((it) => it.name === name)) throw new Error(`There is an operation ${name} already.`);

const root = new URL("../", import.meta.url);
const paths = ["src/resources", "test/resources"].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
);
const sources: Sources = new Map();
for (const file of [...paths, EXAMPLES])
  if (file.endsWith(".ts")) sources.set(file, readFileSync(new URL(file, root), "utf8"));

const named = original === undefined ? undefined : allOperations().find((it) => it.name === original);
if (original !== undefined && named?.definition.method !== method)
  throw new Error(`There is no operation ${original} with the method ${method} to copy.`);
const nearest = named ?? findNearest(allOperations(), method, path);
const changed = addSkeleton(sources, nearest, { method, path, name });
for (const file of changed) writeFileSync(new URL(file, root), sources.get(file)!);
console.log(`Copied ${nearest.name}. Now edit ${changed.join(", ")}, and run \`npm run generate\`.`);
if (new RegExp(`\\b${nearest.name}\\b`).test(readFileSync(new URL("src/operations.ts", root), "utf8")))
  console.log(
    `Its file is not one of a resource's own operations: list ${name} in src/operations.ts, under the resource of its URL.`,
  );
