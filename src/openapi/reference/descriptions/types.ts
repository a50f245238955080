// Descriptions of the named types. The name of a type that is named after its place ends with a word that says what it is.

export const typeDescriptions: Readonly<Record<string, string>> = {
  Error: "Every failure has this shape.",
  Next: "Where the list goes on.",
  Role: "A role, from the lowest to the highest. Each includes those before it.",
  DefaultLevel:
    "The role of members who were given nothing: a role, `inherit` for that of the place above, or null for none.",
  ChangeBatch: "Changes of content that are made together, or not at all.",
  ContentBody: "The text of a page: as Markdown, as a JSON document, or none.",
  CommentBody: "The text of a comment: as Markdown, as a JSON document, or none.",
  Reference: "A reference inside content, by ids.",
  ContentReference: "A reference with the things that it names.",
  Document: "A text as JSON. The blocks are explained in the guide to content.",
  TreePosition: "A place in the order of spaces and collections.",
  IntegrationScope: "Something that an integration may ask for.",
};

/** Descriptions of the types whose names end with a word. */
export const typeDescriptionsByEnding: Readonly<Record<string, string>> = {
  List: "One page of a list.",
  Urls: "Absolute URLs.",
  Permissions: "What the caller may do.",
};
