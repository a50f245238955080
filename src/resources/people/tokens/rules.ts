// The target of tokens.

import type { Target } from "../../../operation/target";
import { DIRECTORY } from "../../../storage/ids";
import { type TokenRecord, tokens } from "./records";

export const token: Target<{ token: TokenRecord; isMine: boolean }, "manage"> = {
  findPartition: () => DIRECTORY,
  async load({ tx, actor, params }) {
    const token = await tokens.find(tx, "id", params.tokenId!);
    return token && { token, isMine: token.user === actor.user.id };
  },
  notFoundReason: "token_not_found",
  rights: { view: ({ isMine }) => isMine, manage: ({ isMine }) => isMine },
};
