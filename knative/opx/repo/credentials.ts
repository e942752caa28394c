import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { messageOf } from "../../../shared/errors.ts";
import { UsageError } from "../command.ts";
import type { OpxContext } from "../context.ts";

/** Options by which a repository is signed in to; nothing secret stands on the command line. */
export const CREDENTIAL_OPTIONS = {
  secret: { type: "string", value: "NAME", description: "Secret of the store's namespace that holds the credentials" },
  username: { type: "string", value: "NAME", description: "user name; the password comes from $OPX_PASSWORD or stdin" },
  "password-stdin": { type: "boolean", description: "read the password from standard input" },
  "token-stdin": { type: "boolean", description: "read a bearer token from standard input (or set $OPX_TOKEN)" },
  "ca-file": { type: "string", value: "FILE", description: "certificate authority of the repository, PEM" },
  "cert-file": { type: "string", value: "FILE", description: "client certificate, PEM" },
  "key-file": { type: "string", value: "FILE", description: "key of the client certificate, PEM" },
} as const;

/** What those options say on a command line. */
export interface CredentialValues {
  readonly secret: string | undefined;
  readonly username: string | undefined;
  readonly "password-stdin": boolean;
  readonly "token-stdin": boolean;
  readonly "ca-file": string | undefined;
  readonly "cert-file": string | undefined;
  readonly "key-file": string | undefined;
}

const MAX_STDIN = 64 * 1024;

/** The entries of the Secret that is to be made, by key; empty where none is needed. Throws `UsageError`. */
export async function readCredentials(
  values: CredentialValues,
  { environment, stdin }: Pick<OpxContext, "environment" | "stdin">,
): Promise<Readonly<Record<string, string>>> {
  refuseContradictions(values);
  if (values.secret !== undefined) return {};
  const piped = values["password-stdin"] || values["token-stdin"] ? await readSecret(stdin) : undefined;
  const entries = {
    ...signIn(values, piped, environment),
    "ca.crt": await readPem(values["ca-file"]),
    "tls.crt": await readPem(values["cert-file"]),
    "tls.key": await readPem(values["key-file"]),
  };
  const known = Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(known);
}

/** A user name goes with a password; without one there may be a token. */
function signIn(values: CredentialValues, piped: string | undefined, environment: OpxContext["environment"]) {
  const { username, "token-stdin": tokenIn } = values;
  if (username === undefined) return { token: tokenIn ? piped : environment.OPX_TOKEN };
  const password = piped ?? environment.OPX_PASSWORD;
  if (password !== undefined) return { username, password };
  throw new UsageError("--username needs a password: set OPX_PASSWORD, or give --password-stdin");
}

function refuseContradictions(values: CredentialValues): void {
  const { secret, username, "password-stdin": passwordIn, "token-stdin": tokenIn } = values;
  const { "ca-file": ca, "cert-file": cert, "key-file": key } = values;
  const own = [username, ca, cert, key].some((value) => value !== undefined) || passwordIn || tokenIn;
  const contradictions: readonly (readonly [boolean, string])[] = [
    [secret !== undefined && own, "--secret names a Secret that holds everything; leave the other credentials out"],
    [passwordIn && tokenIn, "standard input holds either a password or a token; choose one"],
    [passwordIn && username === undefined, "--password-stdin needs --username"],
    [tokenIn && username !== undefined, "--username goes with a password, not with a token"],
    [(cert === undefined) !== (key === undefined), "a client certificate needs both --cert-file and --key-file"],
  ];
  const found = contradictions.find(([holds]) => holds);
  if (found) throw new UsageError(found[1]);
}

async function readSecret(stdin: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > MAX_STDIN) throw new UsageError("standard input is too long for a password or token");
  }
  const secret = text.replace(/\r?\n$/, "");
  if (secret === "") throw new UsageError("standard input is empty; pipe the password or token into opx");
  return secret;
}

async function readPem(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`);
  }
}
