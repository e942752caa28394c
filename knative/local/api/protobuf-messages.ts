import { readFileSync } from "node:fs";

/** One field of a message: its JSON name, its type, and how it is written. */
export type MessageField = readonly [name: string, type: string, mode?: "list" | "map" | "inline" | "kept"];

/** The fields of a message by number. */
export type MessageFields = Readonly<Record<string, MessageField>>;

let messages: ReadonlyMap<string, string> | undefined;
const parsed = new Map<string, MessageFields>();

/** The fields of a message by its full name (k8s.io.api.core.v1.Secret); undefined when it is not known. */
export function messageFields(name: string): MessageFields | undefined {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  messages ??= readMessages();
  const line = messages.get(name);
  if (line === undefined) return undefined;
  const { fields } = JSON.parse(line) as { readonly fields: MessageFields };
  parsed.set(name, fields);
  return fields;
}

function readMessages(): ReadonlyMap<string, string> {
  const file = new URL("./protobuf-data/messages.ndjson", import.meta.url);
  const lines = readFileSync(file, "utf8").split("\n");
  return new Map(lines.map((line) => [/^\{"name":"([^"]+)"/u.exec(line)?.[1] ?? "", line]));
}

const groupPackages: Readonly<Record<string, string>> = {
  "": "core",
  "events.k8s.io": "events",
  "flowcontrol.apiserver.k8s.io": "flowcontrol",
};

const metaPrefix = "k8s.io.apimachinery.pkg.apis.meta.v1.";
const apiPrefix = "k8s.io.api.";

/** The message that carries a kind, for example k8s.io.api.apps.v1.Deployment; undefined when it is not known. */
export function messageOfKind(apiVersion: string, kind: string): string | undefined {
  const [first = "", second] = apiVersion.split("/");
  const [group, version] = second === undefined ? ["", first] : [first, second];
  const folder = groupPackages[group] ?? group.split(".")[0] ?? "";
  return [`${apiPrefix}${folder}.${version}.${kind}`, `${metaPrefix}${kind}`].find(
    (name) => messageFields(name) !== undefined,
  );
}
