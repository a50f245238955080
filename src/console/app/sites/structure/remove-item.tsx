// Removes an item from a site after a confirmation. The spaces themselves are not deleted.

import { runMutation, useAction } from "../../api/mutations";
import { Dialog } from "../../components/dialog";
import { Form } from "../../components/form";
import { fillMessage, useMessages } from "../../messages/messages";
import type { OpenSite } from "../site-layout";
import type { StructureItem } from "./structure-rows";

export function RemoveItem({
  params,
  item,
  onClose,
}: {
  readonly params: OpenSite["params"];
  readonly item: StructureItem;
  readonly onClose: () => void;
}) {
  const messages = useMessages();
  const { title, id } = item;
  const remove = useAction(async () => {
    if (item.object === "site-section-group")
      await runMutation("deleteSiteSectionGroup", { params: { ...params, siteSectionGroupId: id } });
    else if (item.object === "site-section")
      await runMutation("deleteSiteSection", { params: { ...params, siteSectionId: id } });
    else await runMutation("deleteSiteSpace", { params: { ...params, siteSpaceId: id } });
    onClose();
  });
  const why = {
    "site-section-group": messages.removeGroupWhy,
    "site-section": messages.removeSectionWhy,
    "site-space": messages.removeSpaceWhy,
  }[item.object];
  return (
    <Dialog title={messages.remove} onClose={onClose}>
      <p>{fillMessage(why, { title })}</p>
      <Form action={remove} submit={messages.remove} onCancel={onClose} isDanger />
    </Dialog>
  );
}
