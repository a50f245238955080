// Comments, replies and reactions, on spaces and on change requests.

export * from "./on-change-requests";
export * from "./on-spaces";
