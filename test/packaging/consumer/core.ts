// A program of somebody who installed the package, without Node's types: the core on memory answers.

import { createDocsApi, type DocsApi, DocsError, type OperationOutput, type Storage } from "octavo";
import { memoryStorage } from "octavo/memory";

const storage: Storage = memoryStorage();
const { fetch, call, provision, close }: DocsApi = createDocsApi(storage, { origin: "https://docs.example.com" });

const response = await fetch(new Request("https://docs.example.com/v1/"));
const { version } = (await response.json()) as OperationOutput<"getService">;
if (response.status !== 200 || !/^\d+\.\d+\.\d+/.test(version)) throw new Error(`GET /v1/ gave ${response.status}.`);

const { user, organization } = await provision({
  user: { displayName: "Ada", email: "ada@example.com" },
  organization: { title: "Letters" },
});
const found = await call("getOrganization", { params: { organizationId: organization! } }, { user });
const title: string = found.title;
if (title !== "Letters") throw new Error(`The organization is called ${title}.`);

// @ts-expect-error: there is no such operation.
const refused = await call("noSuchOperation", {}, { user }).catch((error: unknown) => error);
if (!(refused instanceof DocsError)) throw new Error("An unknown operation is not refused with a DocsError.");
await close();
