// One line of the doctor's report.

export interface Diagnosis {
  readonly state: "ok" | "warn" | "fail";
  readonly what: string;
  /** The observation, and what to do about it. */
  readonly says: string;
}

/** Creates the lines of the report. */
export const report = {
  ok: (what: string, says: string): Diagnosis => ({ state: "ok", what, says }),
  warning: (what: string, says: string): Diagnosis => ({ state: "warn", what, says }),
  failure: (what: string, says: string): Diagnosis => ({ state: "fail", what, says }),
};
