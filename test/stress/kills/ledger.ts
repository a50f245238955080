// The lines in which the killed process records its answers, and what must hold for them afterwards.

import { basename, join } from "node:path";
import { env } from "node:process";
import { levelStorage } from "../../../adapters/level";
import { postgresStorage } from "../../../adapters/postgres";
import { s3Storage } from "../../../adapters/s3";
import type { Storage } from "../../../src/index";
import { PATIENT } from "../../adapters/s3/patient";

export function openStorage(directory: string): Storage {
  const { OCTAVO_KILLS_URL: url, S3_ENDPOINT: endpoint } = env;
  if (url !== undefined) return postgresStorage(url, { connections: 4 });
  if (endpoint === undefined) return levelStorage(join(directory, "data"));
  return s3Storage({
    bucket: env.S3_BUCKET!,
    prefix: `${basename(directory)}/`,
    timeouts: PATIENT,
    config: {
      endpoint,
      region: env.AWS_REGION!,
      forcePathStyle: env.S3_FORCE_PATH_STYLE === "true",
      credentials: { accessKeyId: env.AWS_ACCESS_KEY_ID!, secretAccessKey: env.AWS_SECRET_ACCESS_KEY! },
    },
  });
}

/** Somebody was about to do something, or has been told what came of it. */
export type Line =
  | { readonly post: string; readonly space: string; readonly id: string }
  | { readonly about: "delete" | "deleted"; readonly id: string }
  | { readonly page: string; readonly space: string }
  | { readonly proposal: string; readonly space: string }
  | { readonly status: number; readonly op: string; readonly body?: unknown };

/** The places of a run: two organizations, collections and spaces that go to and fro between them. */
export interface World {
  readonly token: string;
  readonly user: string;
  readonly organizations: readonly string[];
  readonly collections: readonly string[];
  readonly spaces: readonly string[];
}

export const SECRET = "a secret of more than thirty-two characters";
/** Every process is as far ahead of the one before it: what that one has left is due. */
export const AHEAD_MS = 120_000;

/** What is known to hold, by what was acknowledged. */
export class Ledger {
  readonly comments = new Map<string, { readonly space: string; state: "there" | "unknown" | "gone" }>();
  readonly pages: { readonly space: string; readonly title: string }[] = [];
  readonly proposals: { readonly space: string; readonly id: string }[] = [];
  readonly statuses = new Map<string, number>();
  acknowledged = 0;

  take(line: Line): void {
    if ("status" in line) {
      const name = `${line.op} ${line.status}`;
      this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
      if (line.status < 300) this.acknowledged++;
    } else if ("post" in line) this.comments.set(line.id, { space: line.space, state: "there" });
    else if ("about" in line) {
      const known = this.comments.get(line.id);
      if (known) known.state = line.about === "deleted" ? "gone" : known.state === "gone" ? "gone" : "unknown";
    } else if ("page" in line) this.pages.push({ space: line.space, title: line.page });
    else this.proposals.push({ space: line.space, id: line.proposal });
  }
}
