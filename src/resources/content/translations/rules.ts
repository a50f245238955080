// Rights on a translation: those who see its source see it, and those who manage its result manage it.

import type { Role } from "../../../operation/common-schemas";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Reader } from "../../../storage/transaction";
import { nodes, readNodePath } from "../../library/tree/records";
import { getNodeRole, loadViewer, type Viewer } from "../../library/tree/rules";
import { defineOrganizationTarget, type OrganizationContext } from "../../people/organizations/rules";
import { type TranslationRecord, translations } from "./records";

/** The caller's roles on the source and the result of a translation. */
export interface TranslationRoles {
  readonly onSource: Role | null;
  readonly onResult: Role | null;
}

export interface TranslationContext extends OrganizationContext, TranslationRoles {
  readonly translation: TranslationRecord;
}

export async function loadTranslationRoles(
  tx: Reader,
  viewer: Viewer,
  { source, result }: TranslationRecord,
): Promise<TranslationRoles> {
  const loadRole = async (id: string) => {
    const node = await nodes.get(tx, id);
    return node ? getNodeRole(viewer, await readNodePath(tx, node)) : null;
  };
  const [onSource, onResult] = await Promise.all([loadRole(source), loadRole(result)]);
  return { onSource, onResult };
}

/** Checks whether a user with these roles sees a translation: everybody who sees its source does. */
export function canSeeTranslation({ onSource }: TranslationRoles): boolean {
  return isRoleAtLeast(onSource, "read");
}

export const translation = defineOrganizationTarget(
  "translation_not_found",
  async ({ tx, params, actor }) => {
    const translation = await translations.get(tx, params.translationId!);
    if (!translation) return undefined;
    return { ...(await loadTranslationRoles(tx, await loadViewer(tx, actor.user.id), translation)), translation };
  },
  { view: canSeeTranslation, edit: ({ onResult }) => isRoleAtLeast(onResult, "create") },
);
