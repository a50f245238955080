// A program of somebody who tries out a script of an integration.

import { createSandbox, type SandboxHost } from "octavo/sandbox";

const host: SandboxHost = {
  fetch: undefined,
  now: () => new Date(),
  random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
};
const request = { method: "POST", url: "https://script.example/v1", headers: [], body: null };
const script = "export default { fetch(_, env) { return new Response(env.greeting) } }";
const { response, failure } = await createSandbox().run(script, { request, env: { greeting: "hello" } }, host);
const said = response ? new TextDecoder().decode(response.body) : failure?.message;
if (said !== "hello") throw new Error(`The script says: ${said}`);
