// What follows the reader: the place in the outline, the theme, and pages that are asked for ahead.

import { createElement, findAll, type ScriptConfig } from "./elements";

/** Marks the heading that the reader is at. */
export function followOutline(): void {
  const links = findAll<HTMLAnchorElement>("#--outline a");
  const headings = links.flatMap((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? []);
  if (links.length === 0 || headings.length !== links.length) return;
  let isWaiting = false;
  const mark = () => {
    isWaiting = false;
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0;
    const passed = headings.findLastIndex((heading) => heading.getBoundingClientRect().top < 120);
    const at = isAtEnd ? links.length - 1 : Math.max(0, passed);
    links.forEach((link, i) => {
      if (i === at) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  addEventListener(
    "scroll",
    () => {
      if (!isWaiting) requestAnimationFrame(mark);
      isWaiting = true;
    },
    { passive: true },
  );
  mark();
}

/** Changes between light and dark, and remembers it. */
export function switchTheme(): void {
  for (const button of findAll(".theme"))
    button.addEventListener("click", () => {
      const { classList } = document.documentElement;
      const byDevice = classList.contains("device") && matchMedia("(prefers-color-scheme: dark)").matches;
      const next = classList.contains("dark") || byDevice ? "light" : "dark";
      classList.remove("device", "light", "dark");
      classList.add(next);
      try {
        localStorage.setItem("octavo-theme", next);
      } catch {
        // It holds for this page.
      }
    });
}

/** Asks for a page when the reader points at it. Not for those who save data. */
export function registerLinkPrefetch({ base }: ScriptConfig): void {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean; readonly effectiveType?: string } };
  if (base === "" || connection?.saveData || connection?.effectiveType?.includes("2g")) return;
  const asked = new Set([location.pathname]);
  const ask = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest("a") : null;
    if (!link || link.origin !== location.origin || !link.pathname.startsWith(base)) return;
    if (
      link.hasAttribute("download") ||
      link.pathname.includes("~octavo/") ||
      link.rel.includes("nofollow") ||
      asked.has(link.pathname)
    )
      return;
    asked.add(link.pathname);
    document.head.append(createElement("link", { rel: "prefetch", href: link.pathname + link.search }));
  };
  addEventListener("pointerover", ask, { passive: true });
  addEventListener("focusin", ask);
}
