// Navigation on and between pages: the current heading in the outline, the theme button, and links that are prefetched.

import { createElement, findAll, type ScriptConfig } from "./elements";

/** Marks the heading that the reader has scrolled to. */
export function followOutline(): void {
  const links = findAll<HTMLAnchorElement>("#--outline a");
  const headings = links.flatMap((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? []);
  if (links.length === 0 || headings.length !== links.length) return;
  let isScheduled = false;
  const markCurrent = () => {
    isScheduled = false;
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0;
    const lastPassed = headings.findLastIndex((heading) => heading.getBoundingClientRect().top < 120);
    const current = isAtEnd ? links.length - 1 : Math.max(0, lastPassed);
    links.forEach((link, i) => {
      if (i === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  addEventListener(
    "scroll",
    () => {
      if (!isScheduled) requestAnimationFrame(markCurrent);
      isScheduled = true;
    },
    { passive: true },
  );
  markCurrent();
}

/** Switches between the light and the dark theme when the button is pressed, and remembers the choice. */
export function switchTheme(): void {
  for (const button of findAll(".theme"))
    button.addEventListener("click", () => {
      const { classList } = document.documentElement;
      const isDeviceDark = classList.contains("device") && matchMedia("(prefers-color-scheme: dark)").matches;
      const theme = classList.contains("dark") || isDeviceDark ? "light" : "dark";
      classList.remove("device", "light", "dark");
      classList.add(theme);
      try {
        localStorage.setItem("octavo-theme", theme);
      } catch {
        // Without storage, the theme is only that of this page.
      }
    });
}

/** Prefetches a page when the reader points at its link, unless the connection is slow or the reader saves data. */
export function registerLinkPrefetch({ base }: ScriptConfig): void {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean; readonly effectiveType?: string } };
  if (base === "" || connection?.saveData || connection?.effectiveType?.includes("2g")) return;
  const fetchedPaths = new Set([location.pathname]);
  const prefetch = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest("a") : null;
    if (!link || link.origin !== location.origin || !link.pathname.startsWith(base)) return;
    const isPage =
      !link.hasAttribute("download") && !link.pathname.includes("~octavo/") && !link.rel.includes("nofollow");
    if (!isPage || fetchedPaths.has(link.pathname)) return;
    fetchedPaths.add(link.pathname);
    document.head.append(createElement("link", { rel: "prefetch", href: link.pathname + link.search }));
  };
  addEventListener("pointerover", prefetch, { passive: true });
  addEventListener("focusin", prefetch);
}
