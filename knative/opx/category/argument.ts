/** The category that a command is about. */
export const CATEGORY_ARGUMENT = { name: "CATEGORY", description: "id of the category: ctg-…" } as const;

/** What to do where a category is not as it has to be. */
export const CATEGORY_HINT = "see opx category list";

/** Option of commands that say what a category is for. */
export const DESCRIPTION_OPTION = {
  description: { type: "string", value: "TEXT", description: "what belongs to it" },
} as const;
