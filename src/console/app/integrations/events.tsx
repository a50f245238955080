// The events that an integration received, with its responses and logs.

import { useState } from "preact/hooks";
import type { IntegrationEvent } from "../../../generated/resources";
import { useList, useQuery } from "../api/queries";
import { Loaded, LoadedRows } from "../components/loaded";
import { RelativeTime } from "../components/relative-time";
import { useMessages } from "../messages/messages";
import { IntegrationPage } from "./integration-page";

export function IntegrationEvents({ integration }: { readonly integration: string }) {
  return (
    <IntegrationPage integration={integration} isForPublishers>
      {(it) => <EventList integration={it.name} />}
    </IntegrationPage>
  );
}

function EventList({ integration }: { readonly integration: string }) {
  const messages = useMessages();
  const events = useList("listIntegrationEvents", { params: { integrationName: integration } });
  return (
    <LoadedRows of={events} empty={messages.integrations.noEvents}>
      {(event) => <EventRow integration={integration} event={event} />}
    </LoadedRows>
  );
}

function EventRow({ integration, event }: { readonly integration: string; readonly event: IntegrationEvent }) {
  const messages = useMessages();
  const [isOpen, setOpen] = useState(false);
  const found = useQuery(
    "getIntegrationEvent",
    isOpen ? { params: { integrationName: integration, eventId: event.id } } : undefined,
  );
  const isGood = event.status === "success";
  return (
    <details onToggle={(it) => setOpen(it.currentTarget.open)}>
      <summary>
        <strong>{event.payload.type}</strong>{" "}
        <small>
          <RelativeTime at={event.createdAt} />
          {event.isOpen && ` · ${messages.integrations.eventOpen}`}
        </small>{" "}
        <span class={`status ${isGood ? "good" : "bad"}`}>
          {isGood ? messages.integrations.eventGood : messages.integrations.eventBad}
        </span>
      </summary>
      {isOpen && (
        <>
          <h2>{messages.integrations.attempts}</h2>
          <ul>
            {event.attempts.map(({ at, status, error }) => (
              <li key={at}>
                <RelativeTime at={at} /> · <code>{status}</code> {error}
              </li>
            ))}
          </ul>
          <h2>{messages.integrations.logs}</h2>
          <Loaded of={found}>
            {({ trace: { logs } }) =>
              logs.length === 0 ? (
                <p>{messages.integrations.noLogs}</p>
              ) : (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard.
                <pre class="logs" tabIndex={0}>
                  {logs
                    .map(
                      ({ timestamp, level, message }) =>
                        `${new Date(timestamp).toLocaleString(messages.inLanguage)} ${level} ${message}`,
                    )
                    .join("\n")}
                </pre>
              )
            }
          </Loaded>
          <h2>{messages.integrations.payload}</h2>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard. */}
          <pre class="logs" tabIndex={0}>
            {JSON.stringify(event.payload, null, 2)}
          </pre>
        </>
      )}
    </details>
  );
}
