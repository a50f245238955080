// A report with numbers and dates, made with a library of CommonJS; an error tells where it happened.

import { Report, where } from "./common.cjs";
import { createIntegration } from "./runtime.js";

export default createIntegration({
  async fetch(request) {
    if (new URL(request.url).searchParams.has("fail")) return where.none.member;
    const report = Report("Views");
    const names = ["b", "a", "C"].sort((one, other) => one.localeCompare(other));
    const day = new Date(0).toLocaleDateString(undefined, { month: "short", day: "numeric", year: "numeric" });
    return Response.json([report.title, report.line("all", 1234567.89), day, names, where]);
  },
});
