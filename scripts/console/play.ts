// Plays the console in Chromium: `npm run test:console pictures`. Two people go their whole way on LevelDB while the pages
// that they reach are looked at, and after them every page of the console; so are those who run an organization and publish. The
// two go it once more with the keyboard alone, and once more on S3. Then somebody types into a long page.

import { mkdir } from "node:fs/promises";
import { exit } from "node:process";
import { s3Environment, s3Server } from "../../test/adapters/s3/server";
import { keysAlone, pointer } from "../../test/console/play/hands";
import { bookInGit } from "../../test/console/play/repository";
import { type Playing, twoPeople } from "../../test/console/play/two-people";
import { type Typed, typing } from "../../test/console/play/typing";
import { lookAt, type Seen } from "../../test/console/play/watch";
import { playPublishing } from "../../test/console/publishing-scene";
import type { OnPage } from "../../test/console/run-organization";
import { playScene } from "../../test/console/scenes";
import { consoleStage } from "../../test/console/stage";
import { startServer } from "../../test/sign-in/server-process";
import { browserPath, startBrowser } from "../../test/support/chromium";

const kinds = ["looks", "keys", "s3", "typing"] as const;

/** What else is looked at while it is done. */
const scenes: Readonly<Record<string, typeof playPublishing>> = {
  runs: (stage, browser, onPage) => playScene("run", stage, browser, onPage),
  publishes: playPublishing,
};

/** Plays what is named, or all of it. */
export async function playConsole(given: readonly string[]): Promise<void> {
  const path = browserPath();
  if (path === undefined) {
    console.error("There is no browser here: install Debian's package chromium, or set CHROMIUM to the path of one.");
    exit(1);
  }
  const named = kinds.filter((kind) => given.includes(kind));
  const wanted = named.length > 0 ? named : kinds;
  const folder = given.find((it) => !(kinds as readonly string[]).includes(it));
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const book = await bookInGit();
  const browser = await startBrowser(path);
  let isGood = true;

  async function play(
    name: string,
    hands: Playing["hands"],
    variables: Readonly<Record<string, string>>,
    onPage?: NonNullable<Playing["onPage"]>,
  ): Promise<void> {
    console.log(`Two people ${name}:`);
    const server = await startServer({ EGRESS_ALLOW: book.host, ...variables });
    try {
      const onStep = (step: string, milliseconds: number) =>
        console.log(`  ${step.padEnd(34)} ${(milliseconds / 1000).toFixed(1)} s`);
      const { complaints } = await twoPeople({ browser, server, book, hands, onStep, ...(onPage ? { onPage } : {}) });
      for (const line of complaints) console.error(`  ${line}`);
      if (complaints.length > 0) isGood = false;
    } finally {
      await server.stop();
    }
  }

  try {
    if (wanted.includes("looks")) {
      const seen: Seen[] = [];
      const onPage: OnPage = async (page, name) => void seen.push(await lookAt(page, name, folder));
      await play("on LevelDB, with a pointer", pointer, {}, onPage);
      for (const [name, scene] of Object.entries(scenes)) {
        console.log(`Somebody who ${name}.`);
        const stage = await consoleStage();
        try {
          const complaints = await scene(stage, browser, (page, view) => onPage(page, `${name}-${view}`));
          // What is refused on purpose, browsers write into their console.
          for (const line of complaints.filter((it) => !/status of 4\d\d/.test(it))) {
            console.error(`  ${line}`);
            isGood = false;
          }
        } finally {
          await stage.close();
        }
      }
      for (const { name, rules, wrong } of seen)
        console.log(`${name.padEnd(48)} ${String(rules).padStart(4)} rules passed, ${wrong.length} things wrong`);
      for (const line of seen.flatMap(({ wrong }) => wrong)) console.error(line);
      if (seen.some(({ wrong }) => wrong.length > 0)) isGood = false;
    }
    if (wanted.includes("keys")) await play("on LevelDB, with the keyboard alone", keysAlone, {});
    if (wanted.includes("s3")) {
      const s3 = await s3Server();
      if ("leftOut" in s3) console.log(`On S3 nothing was played: ${s3.leftOut}.`);
      else {
        const secret = "the secret of a play on S3, long enough";
        const prefix = `console-${process.pid}/`;
        await play("on S3, with a pointer", pointer, {
          ...s3Environment(s3),
          STORAGE: "s3",
          S3_PREFIX: prefix,
          SECRET: secret,
        });
      }
    }
    if (wanted.includes("typing")) {
      const server = await startServer({});
      try {
        tellOf(await typing(browser, server));
      } finally {
        await server.stop();
      }
    }
  } finally {
    await browser.close();
    await book.close();
  }
  if (!isGood) exit(1);
}

function tellOf({ first, editor, letters }: Typed): void {
  const loaded = ({ bytes, requests, milliseconds }: Typed["first"]) =>
    `${(bytes / 1024).toFixed(1)} KB in ${requests} requests, ${milliseconds.toFixed(0)} ms`;
  const at = (share: number) => `${letters[Math.floor((letters.length - 1) * share)]!.toFixed(0)} ms`;
  console.log(`The first load: ${loaded(first)}.`);
  console.log(`The editor on a page of 100 KB: ${loaded(editor)}.`);
  console.log(`A letter in it, until it is painted: ${at(0.5)} in the middle, ${at(0.95)} at 95 %, ${at(1)} at most.`);
}
