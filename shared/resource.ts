import * as z from "zod";

/** The part of Kubernetes ObjectMeta that functions read or write. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
}

/** Says which object owns this one: deleting the owner deletes it. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Any Kubernetes object. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** How the API server addresses a kind; the second parameter is the type of its objects. */
export interface ResourceDefinition<K extends string = string, O extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: K;
  readonly plural: string;
  readonly scope: "Cluster" | "Namespaced";
  /** Never set: it carries the type of the objects. */
  readonly object?: O;
}

/** The object type of a resource definition. */
export type ObjectOf<R> = R extends ResourceDefinition<string, infer O> ? O : never;

/** The spec and status types of one of our own kinds. */
export interface CustomObject<Spec, Status> extends KubeObject {
  readonly spec: Spec;
  readonly status?: Status;
}

/** A column that `kubectl get` shows. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "integer" | "boolean" | "date";
  readonly jsonPath: string;
  readonly priority?: number;
}

/** A CEL rule on spec, status or the whole object, with the sentence that a refused writer reads. */
export interface Rule {
  readonly at: "object" | "spec" | "status";
  readonly rule: string;
  readonly message: string;
}

/** One of our own kinds: schemas, columns and rules from which the CustomResourceDefinition is generated. */
export interface CustomResourceDefinition<K extends string = string, O extends KubeObject = KubeObject>
  extends ResourceDefinition<K, O> {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly summary: string;
  readonly spec: z.ZodType;
  readonly status: z.ZodType;
  readonly columns: readonly Column[];
  readonly rules: readonly Rule[];
}

/** The API group of all store kinds, as KubeSphere 3.4 has it. */
export const GROUP = "application.kubesphere.io";

interface ResourceOptions<K extends string, Spec extends z.ZodType, Status extends z.ZodType> {
  readonly kind: K;
  readonly shortNames: readonly string[];
  readonly scope: "Cluster" | "Namespaced";
  readonly summary: string;
  readonly spec: Spec;
  readonly status: Status;
  readonly columns: readonly Column[];
  readonly rules?: readonly Rule[];
}

/** Declares one of our own kinds in group `application.kubesphere.io`, version `v1alpha1`. */
export function defineResource<const K extends string, Spec extends z.ZodType, Status extends z.ZodType>(
  options: ResourceOptions<K, Spec, Status>,
): CustomResourceDefinition<K, CustomObject<z.output<Spec>, z.output<Status>>> {
  const singular = options.kind.toLowerCase();
  const plural = singular.endsWith("y") ? `${singular.slice(0, -1)}ies` : `${singular}s`;
  return { rules: [], ...options, group: GROUP, version: "v1alpha1", singular, plural };
}

/** Declares a kind that Kubernetes or another project owns and that our functions read or write. */
export function externalResource<const K extends string, O extends KubeObject>(
  definition: ResourceDefinition<K, O>,
): ResourceDefinition<K, O> {
  return definition;
}

/** `apiVersion` of a kind: `v1` for the core group, else `group/version`. */
export function apiVersionOf({ group, version }: ResourceDefinition): string {
  return group === "" ? version : `${group}/${version}`;
}

/** How events and logs name an object: `<plural>/<name>` or `<plural>/<namespace>/<name>`. */
export function subjectOf(
  kind: ResourceDefinition,
  metadata: { readonly name: string; readonly namespace?: string },
): string {
  return [kind.plural, metadata.namespace, metadata.name].filter((part) => part !== undefined).join("/");
}

/** RFC 3339 time in a custom resource. */
export const Timestamp = z.string().meta({ format: "date-time" });

/** A field that the API server fills with `value` when it is left out. */
export function withDefault<S extends z.ZodType>(schema: S, value: z.output<S>): z.ZodOptional<S> {
  return schema.optional().meta({ default: value });
}

/** Free-form object that is stored as it comes. */
export const AnyObject = z.record(z.string(), z.unknown()).meta({ "x-kubernetes-preserve-unknown-fields": true });
