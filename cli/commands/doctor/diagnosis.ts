// One line of the doctor's report.

export interface Diagnosis {
  readonly state: "ok" | "warn" | "fail";
  readonly what: string;
  /** The observation, and what to do about it. */
  readonly says: string;
}

export const reportOk = (what: string, says: string): Diagnosis => ({ state: "ok", what, says });
export const reportWarning = (what: string, says: string): Diagnosis => ({ state: "warn", what, says });
export const reportFailure = (what: string, says: string): Diagnosis => ({ state: "fail", what, says });
