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
    if (!response.ok || version === undefined) return [report.failure("server", `${base} is not an Octavo server.`)];
    const diagnoses = [report.ok("server", `${base} is running, version ${version}`)];

    const date = Date.parse(response.headers.get("date") ?? "");
    const seconds = Math.round(Math.abs(Date.now() - date) / 1000);
    if (Number.isNaN(date)) diagnoses.push(report.ok("clock", "the server doesn't report its time"));
    else if (seconds <= MAX_CLOCK_DIFFERENCE_SECONDS)
      diagnoses.push(report.ok("clock", `differs from the server's by ${seconds} s`));
    else
      diagnoses.push(report.warning("clock", `differs from the server's by ${seconds} s. Synchronize both with NTP.`));

    if (token === undefined)
      return [...diagnoses, report.warning("token", "missing. Set it with --token or OCTAVO_TOKEN.")];
    const user = await request("/user");
    if (user.ok) diagnoses.push(report.ok("token", `belongs to ${((await user.json()) as { email: string }).email}`));
    else {
      const says = `rejected with ${user.status}. Create another with octavo token create.`;
      diagnoses.push(report.failure("token", says));
    }
    return diagnoses;
  } catch (error) {
    const cause = ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message;
    return [report.failure("server", `${base} doesn't respond like an Octavo server: ${cause}`)];
  }
}
