// The templates that come with the package. They are loaded when templates are first used. A host can replace them.

import type { Template } from "../../../../content/templates";
import { apiReference } from "./api-reference";
import { knowledgeBase } from "./knowledge-base";
import { productDocs } from "./product-docs";

/**
 * The blank template has one empty page: whoever chooses it wants to begin writing, and a space without pages has no home
 * page. A space that is created without a template has no pages at all.
 */
const blank: Template = {
  id: "blank",
  title: "Blank",
  description: "A single empty page to start writing on.",
  pages: [{ title: "Welcome", slug: "welcome", markdown: "" }],
};

export const builtIn: readonly Template[] = [blank, productDocs, apiReference, knowledgeBase];
