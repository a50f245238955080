// The picture of an integration. It is decorative, because the name is beside it.

import type { Integration } from "../../../generated/resources";
import { Icon } from "../components/icon";

export function Picture({ it }: { readonly it: Integration }) {
  return it.urls.icon === undefined ? <Icon name="puzzle" /> : <img src={it.urls.icon} alt="" loading="lazy" />;
}
