// Translations on the wire.

import type * as v from "valibot";
import type { Progress } from "../../../jobs/progress";
import type { TranslationLanguage } from "../../../operation/common-schemas";
import { getPermissions } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { omitUndefined } from "../../../utils/objects";
import { type TranslationContext, translation as target } from "./rules";
import type { Translation } from "./schema";

export function presentTranslation(
  context: TranslationContext,
  urls: Urls,
  progress?: Progress,
): v.InferInput<typeof Translation> {
  const { id, status, error, source, sourceLanguage, instructions, result, revision, left, ...rest } =
    context.translation;
  const { language, createdAt, updatedAt, stats } = rest as typeof rest & { language: TranslationLanguage };
  return {
    object: "translation",
    id,
    status,
    ...omitUndefined({ error, progress }),
    source: {
      space: source,
      ...omitUndefined({ language: sourceLanguage as TranslationLanguage | undefined }),
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
    permissions: getPermissions(target, context, ["view", "edit"]),
    urls: { location: urls.api(`/orgs/${context.organization.id}/translations/${id}`) },
  };
}
