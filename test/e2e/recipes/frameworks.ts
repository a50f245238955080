// The recipes for frameworks on Node that are one file: what they need beside the package, and who is known to them.

export interface Framework {
  readonly name: string;
  /** Its file in `examples`. */
  readonly file: string;
  readonly packages: readonly string[];
  /** What the first user sends. Default: the token that `examples/docs.ts` gives them. */
  readonly credentials?: Readonly<Record<string, string>>;
}

export const frameworks: readonly Framework[] = [
  { name: "Express", file: "express.ts", packages: ["express"], credentials: { "x-session": "ada-session" } },
  { name: "Fastify", file: "fastify.ts", packages: ["fastify"] },
  { name: "Hono, with `all`", file: "hono.ts", packages: ["hono", "@hono/node-server"] },
  { name: "Hono, with `mount`", file: "hono-mount.ts", packages: ["hono", "@hono/node-server"] },
  { name: "Koa", file: "koa.ts", packages: ["koa"] },
  { name: "h3", file: "h3.ts", packages: ["h3"] },
];
