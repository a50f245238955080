// Functions of content that run in steps, at once.

import { parseSummaryInSteps } from "../../src/content/book/summary";
import { evaluateMarkdownInSteps } from "../../src/content/evaluate";
import { mergeTextsInSteps } from "../../src/content/merge/texts";
import { deserializeIndexInSteps } from "../../src/content/search";
import { runStepsSync } from "../../src/utils/concurrency/steps";

export const evaluateMarkdown = (...given: Parameters<typeof evaluateMarkdownInSteps>) =>
  runStepsSync(evaluateMarkdownInSteps(...given));

export const mergeTexts = (base: string, ours: string, theirs: string) =>
  runStepsSync(mergeTextsInSteps({ base, ours, theirs }));

export const deserializeIndex = (bytes: Uint8Array) => runStepsSync(deserializeIndexInSteps(bytes));

export const parseSummary = (...given: Parameters<typeof parseSummaryInSteps>) =>
  runStepsSync(parseSummaryInSteps(...given));
