// A row of links to pages that belong together.

import { useLocation } from "preact-iso/router";

export function Tabs({
  label,
  children: items,
}: {
  readonly label: string;
  readonly children: readonly (readonly [label: string, href: string])[];
}) {
  const { path } = useLocation();
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
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
