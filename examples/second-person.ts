// Add a second person: an admin creates an invite link, and everyone who opens it becomes a member with the link's role. This
// example runs on an API in memory: `npx tsx second-person.ts`.

import { createDocsApi } from "octavo";
import { type Client, createClient } from "octavo/client";
import { memoryStorage } from "octavo/memory";

/** Creates the link that an admin sends. It leads to a page of your application. */
async function invite(admin: Client, organizationId: string): Promise<string> {
  const body = { role: "edit", expiresAt: new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString() } as const;
  const { ok, value, error } = await admin.call("createLinkInvite", { params: { organizationId }, body });
  if (!ok) throw error;
  return `https://app.example.com/join?organization=${organizationId}&invite=${value.id}`;
}

/** Accepts the invite for the signed-in user. That page calls it. */
async function accept(guest: Client, link: string): Promise<string> {
  const { searchParams } = new URL(link);
  const params = { organizationId: searchParams.get("organization")!, inviteId: searchParams.get("invite")! };
  const { ok, value, error } = await guest.call("acceptInvite", { params });
  if (!ok) return error.message;
  return `${value.user.displayName} may ${value.role} now.`;
}

const api = createDocsApi(memoryStorage());
const token = { label: "first" };
const ada = await api.provision({
  user: { displayName: "Ada", email: "ada@example.com" },
  organization: { title: "Acme" },
  token,
});
const grace = await api.provision({ user: { displayName: "Grace", email: "grace@example.com" }, token });
const clientOf = (value: string | undefined) =>
  createClient({ url: "http://localhost:3000", token: value, fetch: api.fetch });

const link = await invite(clientOf(ada.token), ada.organization!);
console.log(await accept(clientOf(grace.token), link));
const query = { sort: "joinedAt", order: "asc" } as const;
const params = { organizationId: ada.organization! };
for await (const { user, role } of clientOf(ada.token).each("listMembers", { params, query }))
  console.log(user.displayName, role);
