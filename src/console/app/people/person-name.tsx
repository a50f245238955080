// The name of a user, loaded by the id.

import { useQuery } from "../api/queries";

export function PersonName({ id }: { readonly id: string }) {
  const user = useQuery("getUser", { params: { userId: id } });
  return user.state === "loaded" ? <bdi>{user.value.displayName}</bdi> : <code>{id}</code>;
}
