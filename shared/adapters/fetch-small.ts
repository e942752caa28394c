import { Failure, messageOf } from "../errors.ts";
import type { FetchHead } from "./charts-http-fetch.ts";
import { readBody } from "./http-body.ts";

/** Fetches a small document, as a key set or a certificate. Whatever goes wrong is `Unavailable`: it is not the sender's fault. */
export type FetchSmall = (url: string) => Promise<Uint8Array>;

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 5_000;

/** Fetches as repositories are fetched from, without credentials. */
export function createFetchSmall(fetchHead: () => Promise<FetchHead>): FetchSmall {
  return async (url) => {
    try {
      const timing = { signal: AbortSignal.timeout(TIMEOUT_MS), idleMs: TIMEOUT_MS };
      const fetchOne = await fetchHead();
      const response = await fetchOne({ url }, { url: new URL(url), headers: {}, ...timing });
      return await readBody(response, { what: `get ${url.split("?", 1)[0]}`, maxBytes: MAX_BYTES, decompress: true });
    } catch (error) {
      throw new Failure("Unavailable", messageOf(error), { cause: error });
    }
  };
}
