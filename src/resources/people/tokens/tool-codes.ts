// Codes of the browser and requests of devices that wait for a tool to fetch them, in the directory. Both are short-lived. Only
// the SHA-256 of secrets is stored.

import { generateRandomText, type Random } from "../../../storage/ids";
import { defineRecordSet } from "../../../storage/records";
import { sha256Hex } from "../../../utils/sha256";

export type ToolConsent = {
  /** The SHA-256 of the tool's id, and its name. */
  readonly client: string;
  readonly name: string;
  readonly user: string;
  readonly scopes: readonly string[];
  /** The SAML providers that vouched for the session. */
  readonly passed: readonly string[];
};

/** A code that a browser carries to the tool. */
export type CodeRecord = ToolConsent & {
  readonly hash: string;
  readonly redirectUri: string;
  /** The challenge of PKCE, with S256. */
  readonly challenge: string;
  readonly endsAt: string;
  /** The token that was issued for it. A second use of the code ends the token. */
  readonly token?: string;
};

export const toolCodes = defineRecordSet("oauth-code", {
  key: (it: CodeRecord) => [it.hash],
  indexes: { endsAt: (it) => [it.endsAt] },
});

/** A device that waits until a user types its code. */
export type DeviceRecord = {
  readonly hash: string;
  readonly userCode: string;
  readonly client: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly endsAt: string;
  /** The decision, once a user has made it. */
  readonly decision?: {
    readonly isAllowed: boolean;
    readonly user: string;
    readonly passed: readonly string[];
    readonly scopes: readonly string[];
  };
};

export const toolDevices = defineRecordSet("oauth-device", {
  key: (it: DeviceRecord) => [it.hash],
  indexes: { endsAt: (it) => [it.endsAt] },
  unique: { userCode: (it) => [it.userCode] },
  totals: { all: () => [] },
});

/** Generates a secret of 160 bits. */
export function generateSecret(random: Random): { readonly value: string; readonly hash: string } {
  const value = generateRandomText(random, 32);
  return { value, hash: sha256Hex(value) };
}
