// Takes a part of a site away, after asking. Spaces themselves stay.

import { useAction, write } from "../../calls/writes";
import { Dialog } from "../../parts/dialog";
import { Form } from "../../parts/form";
import { filled, useWords } from "../../words/words";
import type { OpenSite } from "../in-site";
import type { Item } from "./rows";

export function RemoveItem({
  params,
  item,
  onClose,
}: {
  readonly params: OpenSite["params"];
  readonly item: Item;
  readonly onClose: () => void;
}) {
  const words = useWords();
  const { title, id } = item;
  const remove = useAction(async () => {
    if (item.object === "site-section-group")
      await write("deleteSiteSectionGroup", { params: { ...params, siteSectionGroupId: id } });
    else if (item.object === "site-section")
      await write("deleteSiteSection", { params: { ...params, siteSectionId: id } });
    else await write("deleteSiteSpace", { params: { ...params, siteSpaceId: id } });
    onClose();
  });
  const why = {
    "site-section-group": words.removeGroupWhy,
    "site-section": words.removeSectionWhy,
    "site-space": words.removeSpaceWhy,
  }[item.object];
  return (
    <Dialog title={words.remove} onClose={onClose}>
      <p>{filled(why, { title })}</p>
      <Form action={remove} submit={words.remove} onCancel={onClose} isDanger />
    </Dialog>
  );
}
