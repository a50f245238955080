// Identifies and admits the callers of requests, over HTTP and inside the process. The first credentials that a request carries decide:
//
//   1. a bearer token of this API: of an installation, of a visitor, or an API token
//   2. the session cookie, if there is no bearer token
//   3. whatever the host's `authenticate` recognizes
//   4. none: nobody is identified, and only open operations can be called
//
// `identify` below reads in this order.

import { createError } from "../errors";
import type { Caller, Kernel } from "../execution/kernel";
import type { AdmitCaller } from "../http/handler";
import type { SentRequest } from "../http/plain-request";
import { getAddressKey, type RateLimiter } from "../http/rate-limit";
import type { SessionCookie } from "../http/session-cookie";
import type { Actor } from "../operation/actor";
import type { OriginalRequest } from "../operation/operation";
import { isAppToken, verifyAppToken } from "../resources/integrations/installations/app-tokens";
import { loadAppActor } from "../resources/integrations/installations/token-actors";
import { findOpenSession, sessions } from "../resources/people/sessions/records";
import { createTokenNetworkRecorder, findActorByToken } from "../resources/people/tokens/records";
import { authenticateHostUser } from "../resources/people/users/host-users";
import { isActiveUser, users } from "../resources/people/users/records";
import { createVisitActor, isVisitToken, readVisitToken } from "../resources/sites/audience/visit-tokens";
import { DIRECTORY } from "../storage/ids";
import { type Reader, SnapshotReader } from "../storage/transaction";
import { type CacheStats, VersionedCache } from "../utils/versioned-cache";
import type { AuthenticationRequest, DocsApiOptions } from "./options";

export interface Authenticator {
  readonly admitCaller: AdmitCaller;
  /**
   * Identifies the caller of a response that is still being sent, as they are now. Returns undefined if the credentials have ended,
   * or if the user of a call without HTTP is no longer active.
   */
  refreshActor(actor: Actor, originalRequest: OriginalRequest | undefined): Promise<Actor | undefined>;
  getCacheStats(): CacheStats;
}

interface AuthenticatorOptions {
  readonly kernel: Kernel;
  readonly sessionCookie: SessionCookie;
  /** The option of the host that identifies its own users. */
  readonly authenticate: DocsApiOptions["authenticate"];
  /** Counts a request for the rate limit; undefined if there is none. */
  readonly countRequest: RateLimiter | undefined;
  /** The names of the operations that a visitor's token opens. */
  readonly visitorOperations: readonly string[];
  readonly maxCachedTokens: number;
}

/** The caller of a probe: nobody is identified, and nothing is read. */
const PROBE_CALLER: Caller = {
  actor: undefined,
  directory: new SnapshotReader({ version: 0, get: async (keys) => keys.map(() => undefined), list: async () => [] }),
};

/** Creates the authenticator of an API. It caches the actors of tokens until the directory changes. */
export function createAuthenticator({
  kernel,
  sessionCookie,
  authenticate,
  countRequest,
  visitorOperations,
  maxCachedTokens,
}: AuthenticatorOptions): Authenticator {
  const { store, secrets, jobs } = kernel;
  const tokenCache = new VersionedCache<Actor>(maxCachedTokens);
  const recordNetwork = createTokenNetworkRecorder(jobs);

  const admitCaller: AdmitCaller = async (request, operation, partition, headers = {}) => {
    const { method, spec } = operation?.definition ?? {};
    if (spec?.isProbe) return PROBE_CALLER;
    const isOpen = spec?.target.allowsAnonymous === true;
    const count = (callerKey: string) => countRequest && Object.assign(headers, countRequest(callerKey, store.now()));

    let caller: Caller;
    try {
      const token = getBearerToken(request);
      const hasCredentials =
        authenticate !== undefined || token !== undefined || sessionCookie.getValue(request) !== undefined;
      // A request without credentials that needs some is refused before anything is read.
      if (!hasCredentials && !isOpen) throw createError("unauthorized");

      // A storage may serve the operation's partition and the directory at once. The partition is requested early only for a token
      // that was valid recently, so that nobody else makes the storage work.
      let prefetched: Caller["prefetched"];
      const isKnownToken = token !== undefined && tokenCache.peek(token) !== undefined;
      if (isKnownToken && method === "GET" && partition !== undefined && partition !== DIRECTORY) {
        prefetched = { partition, view: store.read(partition) };
        // The operation handles a failure, if it comes to use the view.
        prefetched.view.catch(() => {});
      }

      const directory = await store.read(DIRECTORY);
      caller = hasCredentials ? await identify(request, directory, true) : { actor: undefined, directory };
      if (caller.actor && prefetched) caller = { ...caller, prefetched };
      if (!caller.actor && !isOpen) {
        const hasBearerToken = /^Bearer +\S/i.test(request.headers.get("authorization") ?? "");
        throw createError(hasBearerToken ? "token_unknown" : "unauthorized");
      }
    } catch (error) {
      // Callers who are not identified count for their network address.
      count(getAddressKey(request.address));
      throw error;
    }

    // Anybody can get any number of visitor's tokens, so visitors count for their network address, too.
    const { actor } = caller;
    count(actor && !actor.visit ? `user:${actor.user.id}` : getAddressKey(request.address));
    return caller;
  };

  /** Identifies the caller of a request. `isUse` tells whether the request counts as a use of the session or of the token. */
  async function identify(
    request: AuthenticationRequest & Pick<SentRequest, "address">,
    directory: Reader,
    isUse: boolean,
  ): Promise<Caller> {
    const now = store.now();
    const token = getBearerToken(request);

    // 1. A bearer token of this API. Its form tells its kind. One that is none of ours, or invalid, may be one of the host's.
    if (token !== undefined) {
      const versions = [directory.version];
      let actor = tokenCache.get(token, versions, now.getTime());
      if (!actor && isAppToken(token)) {
        // The token of an installation is verified by its signature. The installation lives in another partition, whose version is
        // not among those of the cache, so it is read for every request.
        const claims = verifyAppToken(secrets, token, now);
        actor = claims && (await loadAppActor(store, claims));
      } else if (!actor) {
        if (isVisitToken(token)) {
          // The token says who the visitor is. Each target checks that the visit is still allowed.
          const visit = readVisitToken(secrets, token, now);
          actor = visit && createVisitActor(visit, visitorOperations);
        } else {
          // The owner is looked up again whenever the directory has changed, so a revoked token stops working at once.
          actor = await findActorByToken(directory, token, now);
        }
        if (actor) {
          const expiresAt = actor.expiresAt === null ? undefined : Date.parse(actor.expiresAt);
          tokenCache.set(token, actor, { versions, expiresAt });
        } else tokenCache.delete(token);
      }
      if (actor && isUse && actor.usedNetworks) {
        const userAgent = request.headers.get("user-agent") ?? undefined;
        await recordNetwork(actor, { address: request.address, userAgent });
      }
      if (actor) return { actor, directory };
    }

    // 2. The session cookie. A browser sends it with requests that other sites cause, too, and those are refused.
    const cookie = token === undefined ? sessionCookie.getValue(request) : undefined;
    const openSession = cookie === undefined ? undefined : await findOpenSession(directory, cookie, now);
    if (openSession) {
      if (sessionCookie.isCrossSite(request)) throw createError("cross_site");
      const { session, actor } = openSession;
      // A tenth of the time after which an unused session ends is exact enough, and saves most of the writes.
      if (isUse && now.getTime() - Date.parse(session.seenAt) > session.idleMs / 10)
        await store
          .write(DIRECTORY, async (tx) => {
            // A session that has ended meanwhile stays ended.
            const current = await sessions.get(tx, session.hash);
            if (current) await sessions.put(tx, { ...current, seenAt: store.now().toISOString() });
          })
          .catch(jobs.onError);
      return { actor, directory };
    }

    // 3. The host. Its user is stored if the host says something new, so the directory may be a later one.
    const hostUser = await authenticate?.(request);
    if (hostUser) return authenticateHostUser(store, directory, hostUser);

    // 4. Nobody.
    return { actor: undefined, directory };
  }

  return {
    admitCaller,
    async refreshActor(actor, originalRequest) {
      const directory = await store.read(DIRECTORY);
      if (!originalRequest) return isActiveUser(await users.get(directory, actor.user.id)) ? actor : undefined;
      const current = (await identify(originalRequest, directory, false)).actor;
      return current?.user.id === actor.user.id ? current : undefined;
    },
    getCacheStats: () => tokenCache.getStats(),
  };
}

/** The last token that was read from a header. A request needs it three times, and that of a visitor is long. */
let lastBearer: { readonly header: string | null; readonly token: string | undefined } = {
  header: null,
  token: undefined,
};

/** Returns the bearer token of the `Authorization` header. A visitor's token holds what is known of them, and is the longest. */
function getBearerToken(request: AuthenticationRequest): string | undefined {
  const header = request.headers.get("authorization");
  if (header !== lastBearer.header)
    lastBearer = { header, token: header?.match(/^Bearer +([\x21-\x7e]{1,12288})$/i)?.[1] };
  return lastBearer.token;
}
