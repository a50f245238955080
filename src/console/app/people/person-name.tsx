// The name of somebody of whom only the id is known.

import { useRead } from "../calls/reads";

export function PersonName({ id }: { readonly id: string }) {
  const user = useRead("getUser", { params: { userId: id } });
  return user.state === "had" ? <bdi>{user.value.displayName}</bdi> : <code>{id}</code>;
}
