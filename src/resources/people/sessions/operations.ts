// Sessions of the caller: list them, end them. Nobody can see or end the sessions of others.

import { defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import type { Target } from "../../../operation/target";
import { DIRECTORY } from "../../../storage/ids";
import { omitUndefined } from "../../../utils/objects";
import { self } from "../users/rules";
import { getSessionEnd, type SessionRecord, sessions } from "./records";
import { Session } from "./schema";

const mySession: Target<{ session: SessionRecord; isMine: boolean }, "manage"> = {
  findPartition: () => DIRECTORY,
  async load({ tx, actor, params }) {
    const session = await sessions.find(tx, "id", params.sessionId!);
    return session && { session, isMine: session.user === actor.user.id };
  },
  notFoundReason: "session_not_found",
  rights: { view: ({ isMine }) => isMine, manage: ({ isMine }) => isMine },
};

export const listSessions = defineOperation("GET /user/sessions", {
  summary: "List sessions",
  target: self,
  right: "view",
  list: Session,
  async handle({ tx, actor, pageRequest, urls }) {
    return paginateGroup({ tx, pageRequest }, sessions, "ofUser", [actor.user.id], (found) =>
      found.map((session) => {
        const { id, by, createdAt, seenAt, address, userAgent } = session;
        return {
          object: "session",
          id,
          by,
          current: id === actor.credentials,
          createdAt,
          lastSeenAt: seenAt,
          expiresAt: new Date(getSessionEnd(session)).toISOString(),
          ...omitUndefined({ address, userAgent }),
          urls: { location: urls.api(`/user/sessions/${id}`) },
        };
      }),
    );
  },
});

export const endSession = defineOperation("DELETE /user/sessions/:sessionId", {
  summary: "End a session",
  target: mySession,
  right: "manage",
  handle: ({ tx, session }) => sessions.delete(tx, session.hash),
});

export const endSessions = defineOperation("DELETE /user/sessions", {
  summary: "End all sessions",
  target: self,
  right: "manage",
  async handle({ tx, actor }) {
    await sessions.drain(tx, "ofUser", [actor.user.id]);
  },
});
