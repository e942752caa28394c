import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// Reads the message definitions of Kubernetes' Go modules and keeps names, numbers and types; see README.md.

const packages = ["api/*/v1/generated.proto", "api/autoscaling/v2/generated.proto"];
const shared = [
  "pkg/apis/meta/v1/generated.proto",
  "pkg/runtime/generated.proto",
  "pkg/api/resource/generated.proto",
  "pkg/util/intstr/generated.proto",
];

type Field = readonly [name: string, type: string, mode?: "list" | "map" | "inline" | "kept"];

const fieldPattern = /^ {2}(?:optional|repeated|required)? ?(map<string, ([\w.]+)>|[.\w]+) (\w+) = (\d+);$/u;

function messagesOf(file: string): Map<string, Record<string, Field>> {
  const text = readFileSync(file, "utf8");
  const home = /^package ([\w.]+);$/mu.exec(text)?.[1] ?? "";
  const messages = new Map<string, Record<string, Field>>();
  let fields: Record<string, Field> = {};
  for (const line of text.split("\n")) {
    const started = /^message (\w+) \{$/u.exec(line)?.[1];
    if (started !== undefined) {
      fields = {};
      messages.set(`${home}.${started}`, fields);
    }
    Object.assign(fields, fieldOf(line, home));
  }
  return messages;
}

function fieldOf(line: string, home: string): Record<string, Field> {
  const [, written, mapped, name, number] = fieldPattern.exec(line) ?? [];
  if (written === undefined || name === undefined || number === undefined) return {};
  const type = fullName(mapped ?? written, home);
  if (mapped !== undefined) return { [number]: [name, type, "map"] };
  return { [number]: line.trimStart().startsWith("repeated") ? [name, type, "list"] : [name, type] };
}

function fullName(type: string, home: string): string {
  if (type.startsWith(".")) return type.slice(1);
  return /^[a-z0-9]+$/u.test(type) || type.includes(".") ? type : `${home}.${type}`;
}

interface GoTags {
  /** Fields whose members JSON writes one level up. */
  readonly inline: ReadonlySet<string>;
  /** Fields behind a pointer: their zero values mean something and are kept. */
  readonly kept: ReadonlySet<string>;
}

/** What only the Go structs beside the definitions tell, as `<message>.<field>`. */
function goTags(file: string): GoTags {
  const tags = { inline: new Set<string>(), kept: new Set<string>() };
  let message = "";
  for (const line of existsSync(file) ? readFileSync(file, "utf8").split("\n") : []) {
    message = /^type (\w+) struct/u.exec(line)?.[1] ?? message;
    const name = /protobuf:"[^"]*name=(\w+)/u.exec(line)?.[1] ?? "";
    if (line.includes('json:",inline"')) tags.inline.add(`${message}.${name}`);
    else if (/^\s*\w+\s+\*/u.test(line)) tags.kept.add(`${message}.${name}`);
  }
  return tags;
}

function marked(message: string, field: Field, tags: GoTags): Field {
  const [written, type, mode] = field;
  const place = `${message.split(".").at(-1)}.${written}`;
  // The definitions spell one field in capitals that JSON does not.
  const name = written === "Webhooks" ? "webhooks" : written;
  if (tags.inline.has(place)) return [name, type, "inline"];
  if (mode !== undefined) return [name, type, mode];
  return tags.kept.has(place) ? [name, type, "kept"] : [name, type];
}

function distil(api: string, machinery: string): void {
  const files = [
    ...packages.flatMap((pattern) => globSync(join(api, pattern.replace("api/", "")))),
    ...shared.map((path) => join(machinery, path)),
  ];
  const lines: string[] = [];
  for (const file of files.sort()) {
    const tags = goTags(join(file, "..", "types.go"));
    for (const [name, fields] of messagesOf(file)) {
      for (const [number, field] of Object.entries(fields)) fields[number] = marked(name, field, tags);
      lines.push(JSON.stringify({ name, fields }));
    }
  }
  writeFileSync(new URL("./messages.ndjson", import.meta.url), `${lines.join("\n")}\n`);
}

const [api, machinery] = process.argv.slice(2);
if (api === undefined || machinery === undefined) {
  throw new Error("usage: node distil.ts <folder of k8s.io/api> <folder of k8s.io/apimachinery>");
}
distil(api, machinery);
