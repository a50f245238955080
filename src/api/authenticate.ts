// Identifies the callers of requests: by a token of this API, by a session cookie, or on the word of the host application.

import { createError } from "../errors";
import type { Caller, Kernel } from "../execution/kernel";
import type { SentRequest } from "../http/admit-caller";
import type { SessionCookie } from "../http/session-cookie";
import type { Actor } from "../operation/actor";
import type { OriginalRequest } from "../operation/operation";
import { isAppToken, verifyAppToken } from "../resources/integrations/installations/app-tokens";
import { loadAppActor } from "../resources/integrations/installations/token-actors";
import { findOpenSession, sessions } from "../resources/people/sessions/records";
import { createTokenNetworkRecorder } from "../resources/people/tokens/networks";
import { findActorByToken } from "../resources/people/tokens/records";
import { authenticateHostUser } from "../resources/people/users/host-users";
import { isActiveUser, users } from "../resources/people/users/records";
import { createVisitActor, isVisitToken, readVisitToken } from "../resources/sites/audience/visit-tokens";
import { DIRECTORY } from "../storage/ids";
import type { Reader } from "../storage/transaction";
import { type CacheStats, VersionedCache } from "../utils/versioned-cache";
import type { AuthenticationRequest, DocsApiOptions } from "./options";

export interface Authenticator {
  /** Returns true if a request carries credentials of any kind. Without them nothing is read. */
  hasCredentials(request: AuthenticationRequest): boolean;
  /**
   * Identifies the caller of a request. A token or a session of ours comes first. A token that is not ours may be one of the host's.
   * `partition` is the one that the operation will read.
   */
  identifyCaller(request: SentRequest, partition?: string): Promise<Caller>;
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
  /** The names of the operations that a visitor's token opens. */
  readonly visitorOperations: readonly string[];
  readonly maxCachedTokens: number;
}

/** Creates the authenticator of an API. It caches the actors of tokens until the directory changes. */
export function createAuthenticator({
  kernel,
  sessionCookie,
  authenticate,
  visitorOperations,
  maxCachedTokens,
}: AuthenticatorOptions): Authenticator {
  const { store, secrets, jobs } = kernel;
  const tokenCache = new VersionedCache<Actor>(maxCachedTokens);
  const recordPlace = createTokenNetworkRecorder(jobs);

  /** Returns the actor of the token or the session that a request carries. With `isUse`, the session's last use is updated. */
  async function findActor(
    request: AuthenticationRequest,
    directory: Reader,
    isUse: boolean,
  ): Promise<Actor | undefined> {
    const token = getBearerToken(request);
    if (token === undefined) {
      // The person whose session the cookie names, unless another site may have caused the request
      const value = sessionCookie.getValue(request);
      const openSession = value === undefined ? undefined : await findOpenSession(directory, value, store.now());
      if (!openSession) return undefined;
      if (sessionCookie.isCrossSite(request)) throw createError("cross_site");
      const { session, actor } = openSession;
      if (isUse && store.now().getTime() - Date.parse(session.seenAt) > session.idleMs / 10)
        await store
          .write(DIRECTORY, async (tx) => {
            // A session that has ended meanwhile stays ended.
            const current = await sessions.get(tx, session.hash);
            if (current) await sessions.put(tx, { ...current, seenAt: store.now().toISOString() });
          })
          .catch(jobs.onError);
      return actor;
    }

    const now = store.now();
    const versions = [directory.version];
    const cached = tokenCache.get(token, versions, now.getTime());
    if (cached) return cached;
    if (isAppToken(token)) {
      const claims = verifyAppToken(secrets, token, now);
      return claims && loadAppActor(store, claims);
    }
    let actor: Actor | undefined;
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
    return actor;
  }

  /** Asks the host for its user. The user is stored if the host says something new, so the directory may be a later one. */
  async function identifyHostUser(request: AuthenticationRequest, directory: Reader): Promise<Caller> {
    const user = await authenticate?.(request);
    return user ? authenticateHostUser(store, directory, user) : { actor: undefined, directory };
  }

  return {
    hasCredentials: (request) =>
      authenticate !== undefined ||
      getBearerToken(request) !== undefined ||
      sessionCookie.getValue(request) !== undefined,

    async identifyCaller(request, partition) {
      // A storage may serve the operation's partition and the directory at once. The partition is requested early only for a token
      // that was valid recently, so that nobody else makes the storage work.
      const token = getBearerToken(request);
      let prefetched: Caller["prefetched"];
      if (token !== undefined && tokenCache.peek(token) && partition !== undefined && partition !== DIRECTORY) {
        prefetched = { partition, view: store.read(partition) };
        // The operation handles a failure, if it comes to use the view.
        prefetched.view.catch(() => {});
      }

      const directory = await store.read(DIRECTORY);
      const actor = await findActor(request, directory, true);
      if (actor?.usedNetworks) {
        const userAgent = request.headers.get("user-agent") ?? undefined;
        await recordPlace(actor, { address: request.address, userAgent });
      }
      return actor ? { actor, directory, prefetched } : identifyHostUser(request, directory);
    },

    async refreshActor(actor, originalRequest) {
      const directory = await store.read(DIRECTORY);
      if (!originalRequest) return isActiveUser(await users.get(directory, actor.user.id)) ? actor : undefined;
      const present =
        (await findActor(originalRequest, directory, false)) ??
        (await identifyHostUser(originalRequest, directory)).actor;
      return present?.user.id === actor.user.id ? present : undefined;
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
