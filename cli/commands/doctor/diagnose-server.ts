// What a server says: whether it answers, whether the token is good, and whether its clock agrees with this one.

import { type Diagnosis, fail, ok, warn } from "./diagnosis";

const MOST_SECONDS = 60;

export async function server(url: string, token: string | undefined, signal: AbortSignal): Promise<Diagnosis[]> {
  const base = `${url.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1`;
  const ask = (path: string) =>
    fetch(`${base}${path}`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` }, signal });
  try {
    const response = await ask("");
    const { version } = (await response.json()) as { version?: string };
    if (!response.ok || version === undefined) return [fail("server", `${base} is no Octavo server.`)];
    return [ok("server", `${base} answers, version ${version}`), clock(response), await tokenOf(token, ask)];
  } catch (error) {
    const cause = ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message;
    return [fail("server", `${base} does not answer as an Octavo server: ${cause}`)];
  }
}

function clock(response: Response): Diagnosis {
  const date = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(date)) return ok("clock", "the server does not say what time it is");
  const seconds = Math.round(Math.abs(Date.now() - date) / 1000);
  if (seconds <= MOST_SECONDS) return ok("clock", `${seconds} s apart from the server's`);
  return warn("clock", `${seconds} s apart from the server's: let both be set by NTP.`);
}

async function tokenOf(token: string | undefined, ask: (path: string) => Promise<Response>): Promise<Diagnosis> {
  if (token === undefined) return warn("token", "none was given: name one with --token or OCTAVO_TOKEN.");
  const response = await ask("/user");
  if (response.ok) return ok("token", `is that of ${((await response.json()) as { email: string }).email}`);
  return fail("token", `the server refuses it with ${response.status}: make another with octavo token create.`);
}
