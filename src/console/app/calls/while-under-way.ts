// Asks again for what is on the screen while work goes on, so that its progress moves while one watches.

import { useEffect } from "preact/hooks";
import { refreshAll } from "./reads";

const EVERY_MS = 1500;

export function useWhileUnderWay(isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void refreshAll();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [isUnderWay]);
}
