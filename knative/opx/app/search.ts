import { present } from "../../../shared/present.ts";
import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { listApps } from "../store/list-apps.ts";
import { PAGE_OPTIONS } from "../store/list-options.ts";
import { OWN_BASE } from "../store/paths.ts";

/** opx search */
export const search = defineCommand({
  name: "search",
  summary: "Find applications of the store by words, the best first.",
  arguments: [{ name: "TEXT", description: "words that are looked for" }],
  options: {
    category: { type: "string", value: "ID", description: "only of this category" },
    keyword: { type: "string", value: "WORD", description: "only charts that name this keyword" },
    maintainer: { type: "string", value: "NAME", description: "only of this maintainer" },
    ...PAGE_OPTIONS,
    ...STORE_OPTIONS,
  },
  examples: ["search nginx", "search 'web server' --category ctg-a1b2c3 --json"],
  async run({ arguments: [text = ""], options }, context) {
    const { category, keyword, maintainer } = options;
    const query = present({ q: text, category, keyword, maintainer });
    const at = { base: OWN_BASE, path: "/search", query, hint: "see opx search --help" };
    return listApps(await context.store(options), { ...at, page: options });
  },
});
