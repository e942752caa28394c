/** Option of acts that people give reasons for. */
export const MESSAGE_OPTION = {
  message: { type: "string", value: "TEXT", description: "words that are kept in the audit trail" },
} as const;
