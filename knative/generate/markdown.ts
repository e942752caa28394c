/** A Markdown table; cells are text that may hold Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Anything as the text of one table cell. */
export function cell(value: unknown): string {
  return value === undefined ? "" : String(value).replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** A block of code in a language. */
export function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
