import { UsageError } from "../command.ts";

/** Options of every list: which part of it is shown. */
export const PAGE_OPTIONS = {
  limit: { type: "string", value: "COUNT", description: "most entries shown (default: 50)" },
  page: { type: "string", value: "NUMBER", description: "which page of that many entries (default: 1)" },
} as const;

/** What those options say on a command line. */
export interface PageValues {
  readonly limit: string | undefined;
  readonly page: string | undefined;
}

/** The page as the API asks for it. Throws `UsageError`. */
export function pageQuery({ limit = "50", page = "1" }: PageValues): { readonly limit: string; readonly page: string } {
  for (const [option, value] of Object.entries({ limit, page }))
    if (!/^[1-9]\d{0,5}$/.test(value)) throw new UsageError(`--${option} ${value} is no number from 1 on`);
  return { limit, page };
}

/** Says below a list how much of it is not shown; nothing where all is. */
export function moreLines(shown: number, total: number, { limit = "50", page = "1" }: PageValues): readonly string[] {
  const first = (Number(page) - 1) * Number(limit);
  if (first + shown >= total || shown === 0) return shown === 0 && total > 0 ? [`page ${page} is beyond the end`] : [];
  return ["", `${first + 1} to ${first + shown} of ${total}; --page ${Number(page) + 1} shows more`];
}

/** `conditions` of the API from what is set; a comma would begin another condition. Throws `UsageError`. */
export function conditionsText(wanted: Readonly<Record<string, string | undefined>>): string | undefined {
  const set = Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const odd = set.find(([, value]) => value.includes(","));
  if (odd) throw new UsageError(`"${odd[1]}": leave out the comma; states are joined by |`);
  return set.length === 0 ? undefined : set.map(([key, value]) => `${key}=${value}`).join(",");
}
