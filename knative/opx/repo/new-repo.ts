import { LABEL } from "../../../shared/resources/labels.ts";
import { UsageError } from "../command.ts";
import { durationMs } from "../duration.ts";

/** Options that describe a repository. */
export const REPO_OPTIONS = {
  workspace: { type: "string", value: "NAME", description: "workspace that the repository belongs to" },
  description: { type: "string", value: "TEXT", description: "what the repository offers" },
  every: {
    type: "string",
    value: "TIME",
    description: "how often it is synced, at least 180s (default: only when asked)",
  },
  charts: { type: "string", value: "A,B", description: "charts to take from a registry that cannot list them" },
  visibility: { type: "string", value: "WHO", description: "public or workspace" },
  keep: {
    type: "string",
    value: "COUNT",
    description: "newest versions of each chart that become objects (default: 10)",
  },
  verify: { type: "string", value: "POLICY", description: "signatures of charts: off, warn or require" },
  "keyring-secret": { type: "string", value: "NAME", description: "Secret with the OpenPGP keys of .prov files" },
  "cosign-secret": { type: "string", value: "NAME", description: "Secret with the cosign keys (entries *.pub)" },
  "insecure-skip-tls-verify": { type: "boolean", description: "accept any certificate of the server" },
} as const;

/** What those options say on a command line. */
export type RepoValues = {
  readonly [K in keyof typeof REPO_OPTIONS]: (typeof REPO_OPTIONS)[K]["type"] extends "boolean"
    ? boolean
    : string | undefined;
};

/** A repository as the command line describes it. */
export interface NewRepo {
  readonly name: string;
  readonly url: string;
  /** Name of the Secret with its credentials. */
  readonly secret: string | undefined;
  readonly values: RepoValues;
}

const NAME = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const SCHEMES: Readonly<Record<string, string>> = { "http:": "http", "https:": "http", "oci:": "oci", "s3:": "s3" };

/** Metadata and spec of the HelmRepo to make. Throws `UsageError` where name, URL or an option makes no sense. */
export function newRepo({ name, url, secret, values }: NewRepo) {
  if (!NAME.test(name)) throw new UsageError(`${name} is no name: use a-z, 0-9 and -, at most 63 characters`);
  const { workspace, every } = values;
  const verify = verifyOf(values);
  const spec = {
    name,
    url,
    type: typeOf(url),
    description: values.description,
    syncPeriod: every === undefined ? undefined : Math.round(durationMs("--every", every) / 1000),
    charts: values.charts?.split(",").filter(Boolean),
    visibility: oneOf("visibility", values.visibility, ["public", "workspace"]),
    versionHistoryLimit: values.keep === undefined ? undefined : count("keep", values.keep),
    secretRef: secret === undefined ? undefined : { name: secret },
    credential: values["insecure-skip-tls-verify"] ? { insecureSkipTLSVerify: true } : undefined,
    verify,
  };
  const labels = workspace === undefined ? undefined : { [LABEL.workspace]: workspace };
  return { metadata: { name, ...(labels ? { labels } : {}) }, spec: withoutUndefined(spec) };
}

function typeOf(url: string): string {
  const parsed = URL.parse(url);
  const type = parsed && SCHEMES[parsed.protocol];
  if (!type)
    throw new UsageError(`${url} is no address of a repository: begin with https://, http://, oci:// or s3://`);
  if (parsed.password !== "") throw new UsageError("the URL holds a password, which others can read; use --username");
  return type;
}

function verifyOf({ verify, "keyring-secret": keyring, "cosign-secret": cosign }: RepoValues) {
  const policy = oneOf("verify", verify, ["off", "warn", "require"]);
  const named = keyring !== undefined || cosign !== undefined;
  if (policy === undefined && named) throw new UsageError("keys alone check nothing: add --verify warn or require");
  if (policy !== undefined && policy !== "off" && !named) {
    throw new UsageError(`--verify ${policy} needs keys: add --keyring-secret, --cosign-secret or both`);
  }
  if (policy === undefined) return undefined;
  const of = (name: string | undefined) => (name === undefined ? undefined : { secretRef: { name } });
  return withoutUndefined({ policy, provenance: of(keyring), cosign: of(cosign) });
}

function oneOf(option: string, value: string | undefined, known: readonly string[]): string | undefined {
  if (value === undefined || known.includes(value)) return value;
  throw new UsageError(`--${option} ${value} is not known; choose ${known.join(", ")}`);
}

function count(option: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new UsageError(`--${option} ${text} is no number; give 1 or more`);
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
