// The head of a page: its title, its breadcrumbs and its actions.

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { notifyPageChange } from "./announcements";

export function PageHead({
  title,
  above,
  children,
}: {
  readonly title: string;
  /** The breadcrumbs: labels with their paths. */
  readonly above?: readonly (readonly [label: string, href: string])[];
  readonly children?: ComponentChildren;
}) {
  useEffect(() => {
    notifyPageChange(title);
  }, [title]);
  return (
    <header class="head">
      <div>
        {above && above.length > 0 && (
          <p class="crumbs">
            {above.map(([label, href]) => (
              <a key={href} href={href}>
                <bdi>{label}</bdi>
              </a>
            ))}
          </p>
        )}
        <h1>
          <bdi>{title}</bdi>
        </h1>
      </div>
      {children && <div class="buttons">{children}</div>}
    </header>
  );
}
