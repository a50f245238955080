// How much one event may take by default. Everything that a script can make grow has a limit here.

import type { SandboxLimits } from "./options";

const KIB = 1024;
const MIB = 1024 * KIB;

/** The limits where none are given. */
export const defaultLimits: SandboxLimits = {
  steps: 200_000_000,
  milliseconds: 10_000,
  memoryBytes: 48 * MIB,
  stackBytes: 256 * KIB,
  scriptBytes: 2 * MIB,
  requests: 50,
  requestsAtOnce: 6,
  sentBytes: 8 * MIB,
  receivedBytes: 8 * MIB,
  answerBytes: 8 * MIB,
  headerBytes: 32 * KIB,
  logLines: 200,
  logCharacters: 64 * KIB,
};
