// What an integration was told, whether it answered, and what it wrote meanwhile.

import { useState } from "preact/hooks";
import type { IntegrationEvent } from "../../../generated/resources";
import { useList, useRead } from "../calls/reads";
import { Shown, ShownList } from "../parts/shown";
import { exactly, When } from "../parts/when";
import { useWords } from "../words/words";
import { InDefinition } from "./in-definition";

export function IntegrationEvents({ integration }: { readonly integration: string }) {
  return (
    <InDefinition integration={integration} isForPublishers>
      {(it) => <List integration={it.name} />}
    </InDefinition>
  );
}

function List({ integration }: { readonly integration: string }) {
  const words = useWords();
  const events = useList("listIntegrationEvents", { params: { integrationName: integration } });
  return (
    <ShownList of={events} empty={<p>{words.noEvents}</p>}>
      {(items) => (
        <ul class="rows">
          {items.map((event) => (
            <li key={event.id}>
              <OneEvent integration={integration} event={event} />
            </li>
          ))}
        </ul>
      )}
    </ShownList>
  );
}

function OneEvent({ integration, event }: { readonly integration: string; readonly event: IntegrationEvent }) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const isGood = event.status === "success";
  return (
    <details onToggle={(it) => setOpen(it.currentTarget.open)}>
      <summary>
        <strong>{event.payload.type}</strong>{" "}
        <small>
          <When at={event.createdAt} />
          {event.isOpen && ` · ${words.eventOpen}`}
        </small>{" "}
        <span class={`status ${isGood ? "good" : "bad"}`}>{isGood ? words.eventGood : words.eventBad}</span>
      </summary>
      {isOpen && <Trace integration={integration} event={event} />}
    </details>
  );
}

function Trace({ integration, event }: { readonly integration: string; readonly event: IntegrationEvent }) {
  const words = useWords();
  const found = useRead("getIntegrationEvent", { params: { integrationName: integration, eventId: event.id } });
  return (
    <>
      <h2>{words.attempts}</h2>
      <ul>
        {event.attempts.map(({ at, status, error }) => (
          <li key={at}>
            <When at={at} /> · <code>{status}</code> {error}
          </li>
        ))}
      </ul>
      <h2>{words.logs}</h2>
      <Shown of={found}>
        {({ trace: { logs } }) =>
          logs.length === 0 ? (
            <p>{words.noLogs}</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard.
            <pre class="logs" tabIndex={0}>
              {logs
                .map(({ timestamp, level, message }) => `${exactly(timestamp, words.inLanguage)} ${level} ${message}`)
                .join("\n")}
            </pre>
          )
        }
      </Shown>
      <h2>{words.payload}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard. */}
      <pre class="logs" tabIndex={0}>
        {JSON.stringify(event.payload, null, 2)}
      </pre>
    </>
  );
}
