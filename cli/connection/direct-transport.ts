// Connects to a storage without a server: the API runs inside the command, on behalf of one of its users.

import { existsSync } from "node:fs";
import { createDocsApi, type DocsApi, type DocsApiOptions, DocsError, type KnownUser } from "octavo";
import { dnsVerifyDomain, guardedFetch } from "octavo/node";
import { CommandError, UsageError } from "../framework/command";
import { formatRefusal, type Transport } from "./connection";
import { readStorageSecrets } from "./storage-secret";
import { hasNoOrganization, openStorage, type StorageSettings } from "./storage-settings";

/** Opens the API on an existing storage. Creates no storage. */
export async function openApi(settings: StorageSettings, options: DocsApiOptions = {}): Promise<DocsApi> {
  const { dataDir } = settings;
  if (dataDir !== undefined && !existsSync(dataDir))
    throw new UsageError(`No data in ${dataDir}. Choose another folder, or run octavo serve --data ${dataDir} first.`);
  const storage = await openStorage(settings);
  const isFirst = await hasNoOrganization(storage);
  const api = createDocsApi(storage, {
    fetch: guardedFetch(),
    verifyDomain: dnsVerifyDomain(),
    // A command ends before deferred work is due, so a server on the same storage does that work.
    onDue: (when) => void storage.announce?.(when).catch(() => {}),
    ...readStorageSecrets(settings, isFirst),
    ...options,
  });
  await api.ready();
  return api;
}

/**
 * Creates a transport that calls the API as one user.
 *
 * @param as The e-mail address or the id of the user. Default: the first user that was ever created.
 */
export async function createDirectTransport(api: DocsApi, as: string | undefined): Promise<Transport> {
  let caller: Promise<KnownUser> | undefined;
  return {
    async call(name, input) {
      caller ??= findCaller(api, as);
      try {
        return { ok: true, status: 200, value: await api.call(name, input, { user: (await caller).id }) };
      } catch (error) {
        if (!(error instanceof DocsError)) throw error;
        const { reason, status, message, issues } = error;
        const { email } = await caller;
        const hint =
          status === 403 || status === 404 ? ` The command ran as ${email}. Choose another user with --as.` : "";
        return { ok: false, error: { reason, status, message: formatRefusal(message, issues) + hint } };
      }
    },
    async download(url) {
      const response = await api.fetch(new Request(url));
      if (!response.ok) throw new CommandError(`Cannot read a file: the response was ${response.status}.`);
      return new Uint8Array(await response.arrayBuffer());
    },
    host: api,
    close: () => api.close(),
  };
}

async function findCaller(api: DocsApi, as: string | undefined): Promise<KnownUser> {
  const users: KnownUser[] = [];
  for await (const user of api.users())
    if (as === undefined || user.id === as || user.email.toLowerCase() === as.toLowerCase()) users.push(user);
  users.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  const [first] = users;
  if (first) return first;
  throw new UsageError(
    as === undefined
      ? "This storage has no users yet. Create one with octavo user create."
      : `User ${as} not found in this storage. See octavo user list.`,
  );
}
