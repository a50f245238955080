// The first start on a storage: creates an organization and its admin.

import { randomBytes } from "node:crypto";
import { type DocsApi, DocsError } from "octavo";
import type { SignIn } from "octavo/sign-in";
import { createSampleSite } from "./sample/create-sample-site";
import { getMailRoute } from "./send-mail";
import type { ServerSettings } from "./server-settings";

/** The lifetime of the sign-in link of the first admin. */
const LINK_MINUTES = 15;

/**
 * Creates the first organization and its admin. The token is printed first and the organization written last: whenever this is
 * interrupted, either the next start does it again or the operator has the token.
 */
export async function provisionFirstOrganization(
  api: DocsApi,
  signIn: Pick<SignIn, "createSignInLink">,
  settings: ServerSettings,
  print: (line: string) => void,
): Promise<void> {
  const { address, admin, adminToken, hasSample } = settings;
  const value = adminToken ?? `octavo_${randomBytes(20).toString("hex")}`;
  if (!adminToken) print(`The admin's API token (not shown again): ${value}`);
  const { user, organization } = await api.provision({
    user: admin,
    organization: { title: "My organization" },
    token: { label: "First start", value },
  });
  print(
    `Sign in with your browser (works once, for ${LINK_MINUTES} minutes): ${await signIn.createSignInLink(user, LINK_MINUTES)}`,
  );
  const shownToken = adminToken ? "$ADMIN_TOKEN" : value;
  print(`Organization ID: ${organization}`);
  if (hasSample) {
    try {
      print(`Sample site: ${await createSampleSite(api, organization!, user)}`);
    } catch (error) {
      // The specification is created first, under a name that only one process can take.
      if (!(error instanceof DocsError) || error.reason !== "slug_taken") throw error;
      print("Another process is creating the sample site.");
    }
  }
  await printConsoleAddress(api, settings, print);
  print(`Octavo is running at ${address}/v1. Try it:`);
  print(`curl -H "Authorization: Bearer ${shownToken}" ${address}/v1/orgs/${organization}`);
}

/**
 * Prints the URL of the console, and how to sign in: as the first admin, as long as that user has the original e-mail address, and
 * with which link where no mail is sent.
 */
export async function printConsoleAddress(
  api: Pick<DocsApi, "users">,
  settings: ServerSettings,
  print: (line: string) => void,
): Promise<void> {
  const mailRoute = getMailRoute(settings);
  let admin: string | undefined;
  for await (const { email } of api.users({ email: settings.admin.email })) admin = email;
  const hints = [
    ...(admin === undefined ? [] : [`sign in as ${admin}`]),
    ...(mailRoute === "printed"
      ? [`${admin === undefined ? "sign-in links are" : "the sign-in link is"} printed here`]
      : []),
  ];
  print(`Console: ${settings.origin}/${hints.length > 0 ? ` (${hints.join("; ")})` : ""}`);
  const { dataDir, postgres, s3 } = settings;
  // No other process can open a storage in memory, or a LevelDB directory that is in use.
  if (mailRoute !== "none" || (dataDir ?? postgres ?? s3) === undefined) return;
  const condition = dataDir === undefined ? "" : " while the server is stopped";
  print(
    `This server doesn't send email. To get a sign-in link, run octavo user link ${admin ?? "<email>"} with the same settings${condition}.`,
  );
}
