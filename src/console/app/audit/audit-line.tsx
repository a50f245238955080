// One line of the audit log, and what is known of it when it is opened.

import type { ComponentChildren } from "preact";
import type { AuditEvent } from "../../../generated/resources";
import { When } from "../parts/when";
import { PersonName } from "../people/person-name";
import { useWords } from "../words/words";

export function AuditLine({ event }: { readonly event: AuditEvent }) {
  const words = useWords();
  const { action, actor, createdAt, status, operation, credential, from, things, made, changes, isChanged } = event;
  return (
    <details>
      <summary>
        {isChanged && <span class="status bad">{words.eventTampered}</span>}
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
          <When at={createdAt} />
        </small>
      </summary>
      <dl class="facts">
        <Fact name={words.actor}>
          {actor.type} <code>{actor.id}</code>
        </Fact>
        <Fact name={words.eventStatus}>{status}</Fact>
        {operation !== undefined && <Fact name={words.eventOperation}>{operation}</Fact>}
        {credential && (
          <Fact name={words.eventCredential}>
            {credential.type} <code>{credential.id}</code>
          </Fact>
        )}
        {from?.address !== undefined && <Fact name={words.eventAddress}>{from.address}</Fact>}
        {from?.userAgent !== undefined && (
          <Fact name={words.eventBrowser}>
            <bdi>{from.userAgent}</bdi>
          </Fact>
        )}
        {things.length > 0 && <Fact name={words.eventThings}>{things.map(thing)}</Fact>}
        {made.length > 0 && <Fact name={words.eventMade}>{made.map(thing)}</Fact>}
        {changes.length > 0 && (
          <Fact name={words.eventChanges}>
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

const thing = ({ type, id }: AuditEvent["things"][number]) => (
  <div key={`${type} ${id}`}>
    {type} <code>{id}</code>
  </div>
);

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
