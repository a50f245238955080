// A region that scrolls by itself, also with the keyboard.

import type { ComponentChildren } from "preact";

export function ScrollRegion({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it nobody scrolls with the keys
    <section class="scrolls" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
