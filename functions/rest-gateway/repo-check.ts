import { IndexError } from "../../shared/charts/index-limits.ts";
import { readIndex } from "../../shared/charts/index-reader.ts";
import { userInfoOf } from "../../shared/charts/user-info.ts";
import { Failure } from "../../shared/errors.ts";
import { parsedCredential } from "../../shared/lifecycle/repo-credential.ts";
import { RestError } from "../../shared/rest/answers.ts";
import type { Call } from "./call.ts";

/** Credentials of a repository by their keys in a Secret. */
export type Credential = Readonly<Record<string, string>>;

/** The credentials of a request: those in front of the host, or those in its JSON text; `undefined` where it gives none. */
export function credentialIn(url: string, text: string | undefined): Credential | undefined {
  const given = text === undefined || text.trim() === "" ? {} : parsedCredential(text);
  if (!given) throw new RestError(400, "credential is no JSON object of texts");
  const all = { ...given, ...userInfoOf(url) };
  return Object.keys(all).length === 0 ? undefined : all;
}

/** Fetches and reads the index; throws 400 in the words that KubeSphere's clients know (§6.4). */
export async function checkIndex({ ports }: Call, url: string, credential: Credential | undefined): Promise<void> {
  const { accessKeyID, secretAccessKey, sessionToken, ...signIn } = credential ?? {};
  const keys = Object.entries({ accessKeyID, secretAccessKey, sessionToken }).filter(([, value]) => value);
  const s3 = keys.length === 0 ? {} : { s3: Object.fromEntries(keys) };
  try {
    const index = await ports.charts.fetchIndex({ url, ...signIn, ...s3 });
    if (!index.changed) return;
    // A registry has no index: that it lists its charts is what there is to see.
    if (url.startsWith("oci://")) await index.chunks[Symbol.asyncIterator]().return?.();
    else await readIndex(index.chunks);
  } catch (error) {
    if (error instanceof Failure || error instanceof IndexError) throw new RestError(400, told(error, url));
    throw error;
  }
}

/** What servers of repositories answer most, in the words of HTTP. */
const STATUS_TEXT: Readonly<Record<string, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  410: "Gone",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

function told({ message }: Error, url: string): string {
  const status = / HTTP (\d{3})\b/.exec(message)?.[1];
  if (status === undefined) return message;
  return `failed to fetch ${url.replace(/\/+$/, "")}/index.yaml : ${status} ${STATUS_TEXT[status] ?? ""}`.trim();
}
