import { builtinDefinition, builtinDefinitionName, builtinResources } from "./builtin-data.ts";
import { at, isObject, type Json, type JsonObject, listOf, textOf, textsOf } from "./json.ts";
import { OBJECT_META, type Schema } from "./schema.ts";

/** A column of `kubectl get`; jsonPath as in a definition's additionalPrinterColumns. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/** Where the scale subresource finds its numbers (JSON paths from the object, ".spec.replicas"). */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** All that the API has to know about one kind in one version. */
export interface KindInfo {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly subresources: { readonly status: boolean; readonly scale?: ScalePaths };
  readonly columns: readonly PrinterColumn[];
  readonly schema: Schema | undefined;
  readonly selectableFields: readonly string[];
  readonly origin: "builtin" | "crd";
  readonly storage: boolean;
  /** What clients may do with it; absent means everything. */
  readonly verbs?: readonly string[];
  /** The warning that answers carry when this version is deprecated. */
  readonly deprecated?: string;
}

const AGE: PrinterColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };
// Stored as autoscaling/v2 and as v1.
const storedOtherwise = new Set(["autoscaling/v1 HorizontalPodAutoscaler", "events.k8s.io/v1 Event"]);
let builtins: readonly KindInfo[] | undefined;

/** The stable kinds of Kubernetes' own groups, in discovery's order; the list is built once. */
export function builtinKinds(): readonly KindInfo[] {
  builtins ??= builtinResources().map(builtinKind);
  return builtins;
}

function builtinKind(resource: JsonObject): KindInfo {
  const [group, version] = [textOf(resource["group"]), textOf(resource["version"])];
  const kind = textOf(at(resource, "responseKind", "kind"));
  const parts = listOf(resource["subresources"]).map((part) => textOf(at(part, "subresource")));
  const definition = builtinDefinitionName(group, version, kind);
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural: textOf(resource["resource"]),
    singular: textOf(resource["singularResource"]),
    shortNames: textsOf(resource["shortNames"]),
    categories: textsOf(resource["categories"]),
    namespaced: resource["scope"] === "Namespaced",
    subresources: { status: parts.includes("status"), ...(parts.includes("scale") ? { scale: BUILTIN_SCALE } : {}) },
    columns: [],
    schema: definition === undefined ? undefined : builtinDefinition(definition),
    selectableFields: [],
    origin: "builtin",
    storage: !storedOtherwise.has(`${group}/${version} ${kind}`),
    verbs: textsOf(resource["verbs"]),
  };
}

const BUILTIN_SCALE: ScalePaths = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".spec.selector",
};

/** One KindInfo per served version of a definition; a definition that fails validateCrd gives undefined results. */
export function kindsOfCrd(crd: Json): readonly KindInfo[] {
  const versions = listOf(at(crd, "spec", "versions")).filter((version) => at(version, "served") === true);
  return versions.map((version) => crdKind(crd, version));
}

function crdKind(crd: Json, version: Json): KindInfo {
  const names = at(crd, "spec", "names");
  const kind = textOf(at(names, "kind"));
  const schema = at(version, "schema", "openAPIV3Schema");
  return {
    group: textOf(at(crd, "spec", "group")),
    version: textOf(at(version, "name")),
    kind,
    listKind: textOf(at(names, "listKind")) || `${kind}List`,
    plural: textOf(at(names, "plural")),
    singular: textOf(at(names, "singular")) || kind.toLowerCase(),
    shortNames: textsOf(at(names, "shortNames")),
    categories: textsOf(at(names, "categories")),
    namespaced: at(crd, "spec", "scope") === "Namespaced",
    subresources: crdSubresources(at(version, "subresources")),
    columns: crdColumns(at(version, "additionalPrinterColumns")),
    schema: isObject(schema) ? withObjectMeta(schema as Schema) : undefined,
    selectableFields: listOf(at(version, "selectableFields")).map((field) => textOf(at(field, "jsonPath"))),
    origin: "crd",
    storage: at(version, "storage") === true,
    ...deprecation(crd, version),
  };
}

/** The schema as the server uses it: apiVersion, kind and metadata are always those of a Kubernetes object. */
function withObjectMeta(schema: Schema): Schema {
  const own = schema.properties?.["metadata"];
  const rules = own?.["x-kubernetes-validations"];
  const declared = own?.properties === undefined ? {} : { allOf: [{ properties: own.properties }] };
  const metadata: Schema = { $ref: OBJECT_META, ...declared, ...(rules ? { "x-kubernetes-validations": rules } : {}) };
  const text: Schema = { type: "string" };
  return { ...schema, properties: { ...schema.properties, apiVersion: text, kind: text, metadata } };
}

function crdSubresources(declared: Json | undefined): KindInfo["subresources"] {
  const scale = at(declared, "scale");
  const status = isObject(at(declared, "status"));
  if (!isObject(scale)) return { status };
  const selector = textOf(scale["labelSelectorPath"]);
  return {
    status,
    scale: {
      specReplicasPath: textOf(scale["specReplicasPath"]),
      statusReplicasPath: textOf(scale["statusReplicasPath"]),
      ...(selector === "" ? {} : { labelSelectorPath: selector }),
    },
  };
}

function crdColumns(declared: Json | undefined): readonly PrinterColumn[] {
  const columns = listOf(declared).filter(isObject);
  return columns.length === 0 ? [AGE] : columns.map((column) => column as unknown as PrinterColumn);
}

function deprecation(crd: Json, version: Json): { readonly deprecated?: string } {
  if (at(version, "deprecated") !== true) return {};
  const name = `${textOf(at(crd, "spec", "group"))}/${textOf(at(version, "name"))} ${textOf(at(crd, "spec", "names", "kind"))}`;
  return { deprecated: textOf(at(version, "deprecationWarning")) || `${name} is deprecated` };
}
