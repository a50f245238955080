// The first start on a storage: an organization and its admin.

import { randomBytes } from "node:crypto";
import { type DocsApi, DocsError } from "octavo";
import type { SignIn } from "octavo/sign-in";
import { makeSample } from "./sample/make-sample";
import { printsMails } from "./send-mail";
import type { ServerSettings } from "./server-settings";

/** The e-mail address of the first admin, until somebody changes it. */
const ADMIN_EMAIL = "admin@localhost.localdomain";
/** How long the link of the first admin can be used. */
const LINK_MINUTES = 15;

/**
 * Makes the first organization and its admin. The organization is written last and the token shown first: whenever this is
 * interrupted, either the next start does it again or the operator holds the token.
 */
export async function firstStart(
  api: DocsApi,
  signIn: Pick<SignIn, "linkFor">,
  settings: ServerSettings,
  print: (line: string) => void,
): Promise<void> {
  const { address, adminToken, hasSample } = settings;
  const value = adminToken ?? `octavo_${randomBytes(20).toString("hex")}`;
  if (!adminToken) print(`The admin's token, shown only this once: ${value}`);
  const { user, organization } = await api.provision({
    user: { displayName: "Admin", email: ADMIN_EMAIL },
    organization: { title: "My organization" },
    token: { label: "First start", value },
  });
  print(`Sign in with a browser, once and within ${LINK_MINUTES} minutes: ${await signIn.linkFor(user, LINK_MINUTES)}`);
  const shown = adminToken ? "$ADMIN_TOKEN" : value;
  print(`The organization's id: ${organization}`);
  if (hasSample) print(await sampleOf(api, organization!, user));
  await printConsoleAddress(api, settings, print);
  print(`Octavo answers at ${address}/v1. Try:`);
  print(`curl -H "Authorization: Bearer ${shown}" ${address}/v1/orgs/${organization}`);
}

/** Prints the address of the console, and the first admin's e-mail address while it is still the original one. */
export async function printConsoleAddress(
  api: Pick<DocsApi, "users">,
  settings: ServerSettings,
  print: (line: string) => void,
): Promise<void> {
  const where = printsMails(settings) ? "; the sign-in link is printed here" : "";
  let hint = "";
  for await (const { email } of api.users({ email: ADMIN_EMAIL })) hint = ` (sign in as ${email}${where})`;
  print(`Console: ${settings.origin}/${hint}`);
}

/** Makes the sample site. The specification comes first, under a name that only one process can take. */
async function sampleOf(api: DocsApi, organization: string, user: string): Promise<string> {
  try {
    return `A sample site: ${await makeSample(api, organization, user)}`;
  } catch (error) {
    if (error instanceof DocsError && error.reason === "slug_taken")
      return "Another process that was started at the same time makes the sample site.";
    throw error;
  }
}
