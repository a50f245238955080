// The picture of an integration. Beside its name it says nothing of its own.

import type { Integration } from "../../../generated/resources";
import { Icon } from "../parts/icon";

export function Picture({ it }: { readonly it: Integration }) {
  return it.urls.icon === undefined ? <Icon name="puzzle" /> : <img src={it.urls.icon} alt="" loading="lazy" />;
}
