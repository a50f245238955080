// The console on a server of this machine, with an admin who can sign in, for tests with a browser.

import type { RequestListener } from "node:http";
import { createDocsApi, type DocsApi, type DocsApiOptions } from "octavo";
import { createConsole } from "octavo/console";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { createSignIn, type SignIn } from "octavo/sign-in";
import { createSite } from "octavo/site";
import { host } from "../site/served";

export interface ConsoleStage {
  readonly api: DocsApi;
  readonly signIn: SignIn;
  readonly origin: string;
  readonly user: string;
  readonly organization: string;
  readonly token: string;
  readonly close: () => Promise<void>;
}

export async function consoleStage(options: DocsApiOptions = {}): Promise<ConsoleStage> {
  let handle: RequestListener;
  const { origin, close } = await host((request, response) => handle(request, response));
  const secret = "the secret of the stage, long enough";
  const api = createDocsApi(memoryStorage(), { origin, secret, ...options });
  const { user, organization, token } = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "Letters" },
    token: { label: "stage" },
  });
  const signIn = createSignIn(api, { home: "/" });
  handle = nodeHandler(createSite(api, { fallback: createConsole(api, { fallback: signIn }) }));
  return {
    api,
    signIn,
    origin,
    user,
    organization: organization!,
    token: token!,
    async close() {
      close();
      await api.close();
    },
  };
}
