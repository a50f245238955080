// Every `urls.app` that the API gives opens a page of the console: patterns in the source on one side, routes on the other.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { exec } from "preact-iso/router";
import { expect, test } from "vitest";
import { ownAddresses } from "../../src/console/app/routes";
import { everyPage, headings, routesOfConsole } from "./every-page";

const at = (path: string) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

/** The paths of `urls.app(…)` in the resources, with `x` for what is put in. */
function pathsOfApi(): string[] {
  const files = readdirSync(at("resources/"), { recursive: true, encoding: "utf8" }).filter((it) => it.endsWith(".ts"));
  const found = files.flatMap((name) => {
    const text = readFileSync(at(`resources/${name}`), "utf8");
    return [...text.matchAll(/urls\.app\(`((?:[^`$]|\$\{(?:[^{}`]|`[^`]*`)*\})+)`\)/g)].map(([, path]) => path!);
  });
  // What is put in behind a name without a slash begins with one itself.
  const plain = found.map((path) => path.replace(/\$\{(?:[^{}`]|`[^`]*`)*\}/g, "x").replaceAll("xx", "x/x"));
  return [...new Set(plain)].sort();
}

/** The route that an address opens. A route that takes a word of the address for a name is another page. */
function routeOf(path: string): string | undefined {
  return routesOfConsole().find((route) => exec(path, route, { params: {} } as never));
}

const words = (path: string) => path.split("/").filter((part) => part !== "" && part !== "x" && !part.startsWith(":"));

test("every application URL in the API opens an existing console page", () => {
  const paths = pathsOfApi();
  expect(paths).toEqual(
    expect.arrayContaining(["/o/x", "/o/x/c/x", "/integrations/x", "/o/x/integrations/x", "/o/x/sites/x"]),
  );
  // The page of an invite belongs to signing in.
  const own = paths.filter((path) => path !== "/o/x/invites/x");
  expect(own.length).toBe(paths.length - 1);
  const lost = own.filter((path) => {
    const route = routeOf(path);
    return route === undefined || words(path).some((word) => !words(route).includes(word));
  });
  expect(lost).toEqual([]);
  for (const path of own) expect([path, ownAddresses.test(path)]).toEqual([path, true]);
  expect(ownAddresses.test("/o/x/invites/x")).toBe(false);
});

test("a missing page is detected", () => {
  expect(routeOf("/o/x/nothing")).toBeUndefined();
  expect(routeOf("/o/x/s/x/~/nothing")).toBe("/o/:organization/s/:space/:pagePath*");
});

test("the browser tests visit every route and nothing else", () => {
  expect(Object.keys(headings).sort()).toEqual([...routesOfConsole()].sort());
});

test("a route that the browser tests cannot open fails by name", () => {
  const made = Object.fromEntries(
    routesOfConsole().flatMap((route) => [...route.matchAll(/:(\w+)/g)].map(([, name]) => [name!, "x"])),
  );
  const pages = everyPage(made);
  expect(pages.length).toBeGreaterThan(routesOfConsole().length);
  expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length);
  expect(() => everyPage(made, [...routesOfConsole(), "/o/:organization/shelves"])).toThrow("/o/:organization/shelves");
  const { spec: _, ...others } = made;
  expect(() => everyPage(others)).toThrow("/o/:organization/openapi/:spec");
});
