const MAX_LENGTH = 200;

/** A text from outside as a message may show it: cut, and quoted where it holds a backslash or control characters. */
export function excerpt(text: string): string {
  const cut = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return hasHiddenCharacters(cut) ? JSON.stringify(cut) : cut;
}

/** Whether a text holds what a reader would not see, or would take for something else. */
export function hasHiddenCharacters(text: string): boolean {
  return /[\\\p{Cc}]/u.test(text);
}
