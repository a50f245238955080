// A part of the page that scrolls for itself, also with the keys.

import type { ComponentChildren } from "preact";

export function Scrolls({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it nobody scrolls with the keys
    <section class="scrolls" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
