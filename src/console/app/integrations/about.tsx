// Describes an integration to users who consider installing it.

import type { Integration } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { useMessages } from "../messages/messages";
import { listTargetOptions } from "./options";

export function About({ it }: { readonly it: Integration }) {
  const messages = useMessages();
  return (
    <section>
      {it.description !== undefined && (
        <p>
          <bdi>{it.description}</bdi>
        </p>
      )}
      {it.summary !== undefined && (
        <p>
          <bdi>{it.summary}</bdi>
        </p>
      )}
      <p>
        <small>
          {formatMessage(messages.integrations.byOrganization, { owner: it.owner.title })} ·{" "}
          {formatMessage(messages.integrations.version, { version: it.version })} ·{" "}
          {new Map(listTargetOptions(messages)).get(it.target)}
          {it.categories.length > 0 && ` · ${it.categories.join(", ")}`}
        </small>
      </p>
      {it.externalLinks.length > 0 && (
        <ul>
          {it.externalLinks.map(({ url, label }) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noopener noreferrer">
                <bdi>{label}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
      <h2>{messages.integrations.asksFor}</h2>
      {it.scopes.length === 0 ? (
        <p>{messages.integrations.asksForNothing}</p>
      ) : (
        <ul>
          {it.scopes.map((scope) => (
            <li key={scope}>
              <code>{scope}</code>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
