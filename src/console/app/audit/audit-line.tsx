// One entry of the audit log, with its details when it is opened.

import type { ComponentChildren } from "preact";
import type { AuditEvent } from "../../../generated/resources";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { PersonName } from "../people/person-name";

export function AuditLine({ event }: { readonly event: AuditEvent }) {
  const messages = useMessages();
  const { action, actor, createdAt, status, operation, credential, from, things, made, changes, isChanged } = event;
  return (
    <details>
      <summary>
        {isChanged && <span class="status bad">{messages.auditLog.eventTampered}</span>}
        <strong>{action}</strong> {operation !== undefined && operation !== action && <code>{operation}</code>}{" "}
        <small>
          {actor.type === "user" && actor.id !== undefined ? (
            <PersonName id={actor.id} />
          ) : (
            <>
              {actor.type} {actor.id}
            </>
          )}
          {" · "}
          <RelativeTime at={createdAt} />
        </small>
      </summary>
      <dl class="facts">
        <Fact name={messages.auditLog.actor}>
          {actor.type} <code>{actor.id}</code>
        </Fact>
        <Fact name={messages.auditLog.eventStatus}>{status}</Fact>
        {operation !== undefined && <Fact name={messages.auditLog.eventOperation}>{operation}</Fact>}
        {credential && (
          <Fact name={messages.auditLog.eventCredential}>
            {credential.type} <code>{credential.id}</code>
          </Fact>
        )}
        {from?.address !== undefined && <Fact name={messages.auditLog.eventAddress}>{from.address}</Fact>}
        {from?.userAgent !== undefined && (
          <Fact name={messages.auditLog.eventBrowser}>
            <bdi>{from.userAgent}</bdi>
          </Fact>
        )}
        {(
          [
            [messages.auditLog.eventThings, things],
            [messages.auditLog.eventMade, made],
          ] as const
        ).map(
          ([name, resources]) =>
            resources.length > 0 && (
              <Fact key={name} name={name}>
                {resources.map(({ type, id }) => (
                  <div key={`${type} ${id}`}>
                    {type} <code>{id}</code>
                  </div>
                ))}
              </Fact>
            ),
        )}
        {changes.length > 0 && (
          <Fact name={messages.auditLog.eventChanges}>
            {changes.map(({ field, value }) => (
              <div key={field}>
                <code>{value === undefined ? field : `${field}: ${String(value)}`}</code>
              </div>
            ))}
          </Fact>
        )}
      </dl>
    </details>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
