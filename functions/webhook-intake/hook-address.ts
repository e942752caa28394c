import type { HttpRequest } from "../../shared/http-function.ts";

/** What the address of a webhook names. */
export interface HookAddress {
  readonly repo: string;
  readonly receiver: string;
  /** For producers that can prove themselves by nothing else; "" where there is none. */
  readonly token: string;
}

const NAME = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const HOOK = new RegExp(`^/hooks/(${NAME}(?:\\.${NAME})*)/(${NAME})$`);

/** Longest path that can name a receiver; anything else is not even matched. */
const MAX_PATH = 330;

/** Reads `/hooks/<HelmRepo>/<receiver>[?token=…]`; `undefined` for any other address. The query never stands in a log. */
export function addressOf({ path, query }: Pick<HttpRequest, "path" | "query">): HookAddress | undefined {
  const [, repo, receiver] = (path.length <= MAX_PATH && HOOK.exec(path)) || [];
  return repo && receiver ? { repo, receiver, token: query.get("token") ?? "" } : undefined;
}
