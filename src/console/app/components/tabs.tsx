// A row of links to pages that belong together.

import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";

export function Tabs({
  label,
  children: items,
}: {
  readonly label: string;
  readonly children: readonly (readonly [label: string, href: string])[];
}) {
  const { path } = useLocation();
  const list = useRef<HTMLUListElement>(null);
  // On a narrow screen, the current tab may be beyond the edge.
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [path]);
  return (
    <nav class="tabs" aria-label={label}>
      <ul ref={list}>
        {items.map(([name, href]) => (
          <li key={href}>
            <a href={href} aria-current={path === href ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
