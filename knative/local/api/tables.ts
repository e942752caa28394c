import { JSONPath } from "jsonpath-plus";
import { ageOf } from "./age.ts";
import { apiVersionOf, type KubeObject } from "./object.ts";
import { isList, type Json } from "./schema/json.ts";
import type { KindInfo, PrinterColumn } from "./schema/kinds.ts";
import { builtinCells } from "./table-cells.ts";

/** One column of a table with the way to fill it. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly cell: (object: KubeObject) => Json;
}

/** What a row carries beside its cells (`includeObject`). */
export type Included = "None" | "Metadata" | "Object";

/** The columns of a kind: its own, or Name and Age. */
export function columnsOf(kind: KindInfo): readonly TableColumn[] {
  const own = kind.origin === "builtin" ? builtinCells(kind) : kind.columns.map(pathColumn);
  return kind.origin === "builtin" && own.some(({ name }) => name === "Name") ? own : [nameColumn(kind), ...own];
}

// The default StorageClass is marked as such.
function nameColumn(kind: KindInfo): TableColumn {
  const marked = kind.group === "storage.k8s.io" && kind.kind === "StorageClass";
  const cell = ({ metadata }: KubeObject): string =>
    marked && metadata.annotations?.[defaultClass] === "true" ? `${metadata.name} (default)` : metadata.name;
  return { name: "Name", type: "string", format: "name", cell };
}

const defaultClass = "storageclass.kubernetes.io/is-default-class";

/** A Table of objects; `head` false leaves the column definitions out, as later events of a watch do. */
export function tableOf(
  columns: readonly TableColumn[],
  objects: readonly KubeObject[],
  options: { readonly include: Included; readonly metadata: object; readonly head?: boolean },
): object {
  const definitions = columns.map(({ cell: _, ...column }) => ({
    format: "",
    description: "",
    priority: 0,
    ...column,
  }));
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: options.metadata,
    columnDefinitions: options.head === false ? null : definitions,
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.cell(object)),
      ...includedObject(object, options.include),
    })),
  };
}

function includedObject(object: KubeObject, include: Included): { object?: object } {
  if (include === "None") return {};
  return { object: include === "Object" ? object : partialOf(object) };
}

/** An object without everything but its metadata. */
export function partialOf(object: KubeObject): object {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
}

/** A list object around rows that are already there. */
export function partialListOf(objects: readonly KubeObject[], metadata: object): object {
  const items = objects.map(partialOf);
  return { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", metadata, items };
}

/** The kind and apiVersion of a list of a kind. */
export function listHead(kind: KindInfo): { readonly kind: string; readonly apiVersion: string } {
  return { kind: kind.listKind, apiVersion: apiVersionOf(kind) };
}

function pathColumn(column: PrinterColumn): TableColumn {
  const { jsonPath, ...shown } = column;
  const path = toJsonPath(jsonPath);
  return { ...shown, cell: (object) => cellOf(column.type, firstMatch(path, object)) };
}

// Kubernetes writes `.a.b` and escapes dots in keys with a backslash; the library wants `$.a['b.c']`.
function toJsonPath(path: string): string {
  const braces = /^\{(.*)\}$/su.exec(path)?.[1] ?? path;
  const quoted = braces.replace(
    /\.((?:[^.[\]\\]|\\.)*\\\.(?:[^.[\]\\]|\\.)*)/gu,
    (_, key: string) => `['${key.replaceAll("\\.", ".")}']`,
  );
  return quoted.startsWith("$") ? quoted : `$${quoted}`;
}

function firstMatch(path: string, object: KubeObject): Json | undefined {
  try {
    const found: unknown = JSONPath({ path, json: object, eval: "safe", wrap: true });
    return isList(found) ? found[0] : undefined;
  } catch {
    // A column that cannot be evaluated is empty, as on the real server; it must not fail the whole list.
    return undefined;
  }
}

function cellOf(type: string, value: Json | undefined): Json {
  if (value === undefined || value === null) return type === "date" ? "<unknown>" : null;
  const convert = conversions[type];
  if (convert !== undefined) return convert(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

const conversions: Readonly<Record<string, (value: Json) => Json>> = {
  date: (value) => (typeof value === "string" ? ageOf(value) : "<invalid>"),
  integer: (value) => (Number.isInteger(Number(value)) ? Number(value) : null),
  number: (value) => Number(value),
  boolean: (value) => value === true,
};
