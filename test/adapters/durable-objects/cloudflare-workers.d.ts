// The part of the module of Workers that the tested Worker uses. The types of Workers do not go together with Node's.

declare module "cloudflare:workers" {
  export abstract class DurableObject<Env = unknown> {
    constructor(ctx: unknown, env: Env);
  }
}
