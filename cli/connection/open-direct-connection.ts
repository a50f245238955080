// A storage without a server: the API runs inside the command, on behalf of one of its users.

import { existsSync } from "node:fs";
import { createDocsApi, type DocsApi, type DocsApiOptions, DocsError, type KnownUser } from "octavo";
import { dnsVerifyDomain, guardedFetch } from "octavo/node";
import { CommandFailed, wrongUse } from "../framework/errors";
import { type Line, sentenceOf } from "./connection";
import { secretsOf } from "./secret";
import { lacksOrganization, openStorage, type StorageSettings } from "./storage-settings";

/** Opens the API on a storage. Nothing is made there that was not there before. */
export async function openApi(settings: StorageSettings, more: DocsApiOptions = {}): Promise<DocsApi> {
  const { dataDir } = settings;
  if (dataDir !== undefined && !existsSync(dataDir))
    throw wrongUse(
      `There is no data at ${dataDir}: name another folder, or begin with octavo serve --data ${dataDir}.`,
    );
  const storage = await openStorage(settings);
  const isFirst = await lacksOrganization(storage);
  const api = createDocsApi(storage, {
    fetch: guardedFetch(),
    verifyDomain: dnsVerifyDomain(),
    // A command does not stay to do what it puts off; a server on the same storage does.
    onDue: (when) => void storage.announce?.(when).catch(() => {}),
    ...secretsOf(settings, isFirst),
    ...more,
  });
  await api.ready();
  return api;
}

/** `as`: the e-mail address or the id of the user who is spoken for; undefined: the first user that was ever made. */
export async function directLine(api: DocsApi, as: string | undefined): Promise<Line> {
  let speaker: Promise<KnownUser> | undefined;
  return {
    async call(name, input) {
      speaker ??= spokenFor(api, as);
      try {
        return { ok: true, status: 200, value: await api.call(name, input, { user: (await speaker).id }) };
      } catch (error) {
        if (!(error instanceof DocsError)) throw error;
        const { reason, status, message, issues } = error;
        const { email } = await speaker;
        const hint = status === 403 || status === 404 ? ` This was asked as ${email}: choose another with --as.` : "";
        return { ok: false, error: { reason, status, message: sentenceOf(message, issues) + hint } };
      }
    },
    async download(url) {
      const response = await api.fetch(new Request(url));
      if (!response.ok) throw new CommandFailed(`A file could not be read: the answer was ${response.status}.`);
      return new Uint8Array(await response.arrayBuffer());
    },
    host: api,
    close: () => api.close(),
  };
}

async function spokenFor(api: DocsApi, as: string | undefined): Promise<KnownUser> {
  const found: KnownUser[] = [];
  for await (const user of api.users())
    if (as === undefined || user.id === as || user.email.toLowerCase() === as.toLowerCase()) found.push(user);
  found.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  const [first] = found;
  if (first) return first;
  throw wrongUse(
    as === undefined
      ? "This storage has no user yet: make one with octavo user create."
      : `This storage has no user ${as}: see octavo user list.`,
  );
}
