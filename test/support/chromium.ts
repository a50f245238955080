// A browser on this machine: where it is, or why there is none.

import { accessSync, constants } from "node:fs";
import { env } from "node:process";
import { type Browser, chromium } from "playwright-core";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/** The path of a browser: what CHROMIUM says, else the usual places. */
export function browserPath(): string | undefined {
  return [env.CHROMIUM ?? "", ...places].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== "";
  } catch {
    return false;
  }
}

/** Starts a browser. Whoever starts it closes it. */
export async function startBrowser(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu"] });
}
