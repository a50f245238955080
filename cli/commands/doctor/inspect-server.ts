// Inspects a server: it must answer, accept the token, and have the same time as this machine.

import { type Diagnosis, report } from "./diagnosis";

/** The largest difference between the clocks that is no warning. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 60;

export async function inspectServer(url: string, token: string | undefined, signal: AbortSignal): Promise<Diagnosis[]> {
  const base = `${url.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1`;
  const request = (path: string) =>
    fetch(`${base}${path}`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` }, signal });
  try {
    const response = await request("");
    const { version } = (await response.json()) as { version?: string };
    if (!response.ok || version === undefined) return [report.failure("server", `${base} is no Octavo server.`)];
    const diagnoses = [report.ok("server", `${base} answers, version ${version}`)];

    const date = Date.parse(response.headers.get("date") ?? "");
    const seconds = Math.round(Math.abs(Date.now() - date) / 1000);
    if (Number.isNaN(date)) diagnoses.push(report.ok("clock", "the server does not say what time it is"));
    else if (seconds <= MAX_CLOCK_DIFFERENCE_SECONDS)
      diagnoses.push(report.ok("clock", `${seconds} s apart from the server's`));
    else diagnoses.push(report.warning("clock", `${seconds} s apart from the server's: let both be set by NTP.`));

    if (token === undefined)
      return [...diagnoses, report.warning("token", "none was given: name one with --token or OCTAVO_TOKEN.")];
    const user = await request("/user");
    if (user.ok) diagnoses.push(report.ok("token", `is that of ${((await user.json()) as { email: string }).email}`));
    else {
      const says = `the server refuses it with ${user.status}: make another with octavo token create.`;
      diagnoses.push(report.failure("token", says));
    }
    return diagnoses;
  } catch (error) {
    const cause = ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message;
    return [report.failure("server", `${base} does not answer as an Octavo server: ${cause}`)];
  }
}
