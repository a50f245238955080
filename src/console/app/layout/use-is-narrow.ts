// Watches the width of the screen. The navigation and the page tree are drawers on a narrow one.

import { useEffect, useState } from "preact/hooks";

/** The query of the styles for narrow screens. */
const NARROW = matchMedia("(max-width: 52rem)");

/** Returns true while the screen is narrow. */
export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(NARROW.matches);
  useEffect(() => {
    const onChange = () => setNarrow(NARROW.matches);
    NARROW.addEventListener("change", onChange);
    return () => NARROW.removeEventListener("change", onChange);
  }, []);
  return isNarrow;
}
