// What the console weighs at its first load, and how fast letters come onto the screen in the editor of a long page.

import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { en as words } from "../../../src/console/app/messages/catalogs/en";
import type { ServerProcess } from "../../sign-in/server-process";

/** The length of the page, in characters. */
const LENGTH = 100_000;
const LETTERS = "Letters that somebody types one after the other, in good time. ";

export interface Typed {
  /** What came over the network for a first page, with an empty cache. */
  readonly first: { readonly bytes: number; readonly requests: number; readonly milliseconds: number };
  /** What came when the editor was opened on the long page. */
  readonly editor: { readonly bytes: number; readonly requests: number; readonly milliseconds: number };
  /** From a key to the next frame that is painted, in milliseconds, in order. */
  readonly letters: readonly number[];
}

export async function typing(browser: Browser, { origin, prints }: ServerProcess): Promise<Typed> {
  const signIn = await prints(/^Sign in with a browser.*: (\S+)$/m);
  const organization = await prints(/^The organization's id: (\S+)$/m);
  await prints(/^(Octavo answers)/m);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(signIn);
    await page.locator("main form button").first().click();
    await page.waitForURL(/sign-in$/);
    const post = async (path: string, data: object) => {
      const answer = await page.request.post(`${origin}/v1${path}`, { data, headers: { origin } });
      assert.ok(answer.ok(), await answer.text());
      return (await answer.json()) as { id: string };
    };
    const space = await post(`/orgs/${organization}/spaces`, { title: "Long" });
    const inserted = { operation: "insert_page", title: "Long", document: { markdown: longText() } };
    await post(`/spaces/${space.id}/content`, { changes: [inserted] });

    const first = await weighed(page, async () => {
      await page.goto(`${origin}/`);
      await page.getByRole("link", { name: "My organization" }).first().waitFor();
    });
    await page.goto(`${origin}/o/${organization}/s/${space.id}/long`);
    await page.frameLocator("iframe.preview").locator("p").last().waitFor();
    const content = page.locator(".cm-content");
    const editor = await weighed(page, async () => {
      await page.getByRole("button", { name: words.more, exact: true }).click();
      await page.getByRole("menuitem", { name: words.editHere }).click();
      await content.waitFor();
    });
    await content.click();
    await page.evaluate(() => {
      const taken: number[] = [];
      Object.assign(window, { taken });
      addEventListener(
        "keydown",
        () => {
          const begun = performance.now();
          // A message that is posted in a frame is heard after the frame was painted.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => taken.push(performance.now() - begun);
            port2.postMessage(0);
          });
        },
        true,
      );
    });
    for (const key of ["Control+End", "Control+Home"]) {
      await page.keyboard.press(key);
      await page.keyboard.type(LETTERS, { delay: 60 });
    }
    const taken = await page.evaluate(() => (window as unknown as { taken: number[] }).taken);
    await page.locator(".state", { hasText: words.unsaved }).waitFor();
    return { first, editor, letters: taken.toSorted((a, b) => a - b) };
  } finally {
    await context.close();
  }
}

/** Chapters with paragraphs, lists and code. */
function longText(): string {
  const chapter = (n: number) =>
    `## Chapter ${n}\n\n${LETTERS.repeat(6)}\n\n- *One* of ${n}\n- **Two** of ${n}\n\n\`\`\`js\nconst answer = ${n};\n\`\`\`\n\n`;
  let text = "# Long\n\n";
  for (let n = 1; text.length < LENGTH; n++) text += chapter(n);
  return text;
}

async function weighed(page: Page, act: () => Promise<void>): Promise<Typed["first"]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  let requests = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests++;
  });
  const begun = performance.now();
  await act();
  const milliseconds = performance.now() - begun;
  // What is loaded late. The stream of events never ends.
  await page.waitForTimeout(500);
  await session.detach();
  return { bytes, requests, milliseconds };
}
