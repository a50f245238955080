// What an integration is, for those who think of installing it.

import type { Integration } from "../../../generated/resources";
import { filled, useWords } from "../words/words";
import { targetOptions } from "./lists";

export function About({ it }: { readonly it: Integration }) {
  const words = useWords();
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
          {filled(words.byOrganization, { owner: it.owner.title })} · {filled(words.version, { version: it.version })} ·{" "}
          {new Map(targetOptions(words)).get(it.target)}
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
      <h2>{words.asksFor}</h2>
      {it.scopes.length === 0 ? (
        <p>{words.asksForNothing}</p>
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
