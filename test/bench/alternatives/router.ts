// Routers: the operation of each path of the interface, for decision 90.

import { createRouter } from "../../../src/http/router";
import { allOperations } from "../../../src/operations";
import { VersionedCache } from "../../../src/utils/versioned-cache";
import { runPart } from "./part";

interface Route {
  readonly method: string;
  readonly path: string;
}

const operations = allOperations();
const routes: readonly Route[] = operations.map(({ definition: { method, path } }) => ({ method, path: `/v1${path}` }));
/** Paths as they are requested: every lookup has another one. */
const createRequests = (): readonly Route[] =>
  Array.from({ length: 100 }, (_, round) =>
    routes.map(({ method, path }) => ({ method, path: path.replace(/:(\w+)(\+?)/g, (_, name) => `${name}${round}`) })),
  ).flat();

await runPart<readonly Route[]>({
  alternatives: {
    ours: async () => {
      const router = createRouter(operations, "", new VersionedCache(1));
      return async (requests) => {
        for (const { method, path } of requests) await router.find(method, `http://localhost${path}`);
      };
    },
    "itty-router, all routes in one": async (load) => {
      const { Router } = await load("itty-router");
      const router = Router();
      for (const { method, path } of routes) router[method.toLowerCase()](path, () => path);
      return async (requests) => {
        for (const { method, path } of requests)
          if ((await router.fetch({ method, url: `http://localhost${path}` })) === undefined) throw new Error(path);
      };
    },
    "hono (SmartRouter)": async (load) => {
      const { Hono } = await load("hono");
      const { router } = new Hono();
      for (const { method, path } of routes) router.add(method, path.replace(/:(\w+)\+/g, ":$1{.+}"), path);
      return (requests) => {
        for (const { method, path } of requests) if (router.match(method, path)[0].length === 0) throw new Error(path);
      };
    },
    "find-my-way": async (load) => {
      const { default: createFinder } = await load("find-my-way");
      const finder = createFinder();
      for (const { method, path } of routes) finder.on(method, path.replace(/:\w+\+/g, "*"), () => path);
      return (requests) => {
        for (const { method, path } of requests) if (finder.find(method, path) === null) throw new Error(path);
      };
    },
  },
  inputs: {
    [`${100 * routes.length} lookups`]: createRequests,
    "100 × 8,000 slashes": () =>
      Array.from({ length: 100 }, () => ({ method: "GET", path: `/v1/spaces/a/content/path/${"a/".repeat(8000)}b` })),
  },
  packages: {
    "itty-router, all routes in one": ["itty-router"],
    "hono (SmartRouter)": ["hono"],
    "find-my-way": ["find-my-way"],
  },
});
