// One line of the doctor's report.

export interface Diagnosis {
  readonly state: "ok" | "warn" | "fail";
  readonly what: string;
  /** What was seen, and what to do about it. */
  readonly says: string;
}

export const ok = (what: string, says: string): Diagnosis => ({ state: "ok", what, says });
export const warn = (what: string, says: string): Diagnosis => ({ state: "warn", what, says });
export const fail = (what: string, says: string): Diagnosis => ({ state: "fail", what, says });
