// Translations on the wire.

import type * as v from "valibot";
import type { Progress } from "../../../jobs/progress";
import { getPermissions } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { omitUndefined } from "../../../utils/objects";
import { type TranslationContext, translation as target } from "./rules";
import type { Translation } from "./schema";

/** Formats a translation. */
export function presentTranslation(
  it: TranslationContext,
  urls: Urls,
  progress?: Progress,
): v.InferInput<typeof Translation> {
  const { id, status, error, source, sourceLanguage, instructions, result, revision, left, ...rest } = it.translation;
  const { language, createdAt, updatedAt, stats } = rest as typeof rest & { language: Language };
  return {
    object: "translation",
    id,
    status,
    ...omitUndefined({ error, progress }),
    source: {
      space: source,
      ...omitUndefined({ language: sourceLanguage === undefined ? undefined : (sourceLanguage as Language) }),
    },
    language,
    ...omitUndefined({ instructions }),
    result: { space: result, revision },
    createdAt,
    updatedAt,
    stats,
    ...omitUndefined({
      untranslated: left === undefined || left.count === 0 ? undefined : { ...left, pages: [...left.pages] },
    }),
    permissions: getPermissions(target, it, ["view", "edit"]),
    urls: { location: urls.api(`/orgs/${it.organization.id}/translations/${id}`) },
  };
}

type Language = v.InferInput<typeof Translation>["language"];
