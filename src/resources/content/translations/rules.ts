// Rights on a translation: those who see its source see it, and those who manage its result manage it.

import type { Role } from "../../../operation/common-schemas";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Target } from "../../../operation/target";
import type { Reader } from "../../../storage/transaction";
import { type NodePath, nodes, readNodePath } from "../../library/tree/records";
import { getNodeRole, loadViewer, type Viewer } from "../../library/tree/rules";
import { loadParentOrganization, type OrganizationContext, organization } from "../../people/organizations/rules";
import { type TranslationRecord, translations } from "./records";

/** The caller's roles on the source and the result of a translation. */
export interface Ends {
  readonly onSource: Role | null;
  readonly onResult: Role | null;
}

export interface InTranslation extends OrganizationContext, Ends {
  readonly translation: TranslationRecord;
}

/** The roles of a viewer on the source and the result of a translation. */
export async function endsOf(tx: Reader, viewer: Viewer, { source, result }: TranslationRecord): Promise<Ends> {
  const [onSource, onResult] = await Promise.all([source, result].map((id) => roleOnSpace(tx, viewer, id)));
  return { onSource: onSource!, onResult: onResult! };
}

async function roleOnSpace(tx: Reader, viewer: Viewer, id: string): Promise<Role | null> {
  const path = await wayTo(tx, id);
  return path ? getNodeRole(viewer, path) : null;
}

async function wayTo(tx: Reader, id: string): Promise<NodePath | undefined> {
  const node = await nodes.get(tx, id);
  return node && readNodePath(tx, node);
}

/** Whether a user with these roles sees a translation. */
export function isSeen({ onSource }: Ends): boolean {
  return isRoleAtLeast(onSource, "read");
}

export const translation: Target<InTranslation, "edit"> = {
  findPartition: organization.findPartition,
  async load(scope) {
    const above = await loadParentOrganization(scope);
    const found = await translations.get(scope.tx, scope.params.translationId!);
    if (!found) return undefined;
    const ends = await endsOf(scope.tx, await loadViewer(scope.tx, scope.actor.user.id), found);
    return { ...above, ...ends, translation: found };
  },
  notFoundReason: "translation_not_found",
  rights: { view: isSeen, edit: ({ onResult }) => isRoleAtLeast(onResult, "create") },
};
