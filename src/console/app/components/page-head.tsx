// The head of a page: its title, its breadcrumbs and its actions.

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { notifyPageChange } from "./announcements";
import { EditableTitle } from "./editable-title";

export function PageHead({
  title,
  above,
  onRename,
  isCompact = false,
  children,
}: {
  readonly title: string;
  /** The breadcrumbs: labels with their paths. */
  readonly above?: readonly (readonly [label: string, href: string])[];
  /** Renames what the page is about. With it, the title is edited where it stands. */
  readonly onRename?: ((title: string) => Promise<unknown>) | undefined;
  /** Shows the breadcrumbs and the title in one line. */
  readonly isCompact?: boolean;
  readonly children?: ComponentChildren;
}) {
  useEffect(() => {
    notifyPageChange(title);
  }, [title]);
  return (
    <header class={isCompact ? "head compact" : "head"}>
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
        <EditableTitle title={title} onRename={onRename}>
          <h1>
            <bdi>{title}</bdi>
          </h1>
        </EditableTitle>
      </div>
      {children && <div class="buttons">{children}</div>}
    </header>
  );
}
