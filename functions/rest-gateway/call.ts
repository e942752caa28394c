import type { User } from "../../shared/access-port.ts";
import type { HttpAnswer, HttpPorts, HttpRequest } from "../../shared/http-function.ts";
import type { KubeObject } from "../../shared/resource.ts";
import { ConfigMap } from "../../shared/resources/core.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { HelmPackage } from "../../shared/resources/helm-package.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { RestError } from "../../shared/rest/answers.ts";
import { type Conditions, conditionsOf } from "../../shared/rest/conditions.ts";
import { isOffered, workspaceOf } from "../../shared/rest/shapes.ts";
import type { EMITS } from "./acts.ts";

/** Kinds that the gateway reads. */
export const READS = [HelmRepo, HelmApplication, HelmApplicationVersion, HelmPackage, HelmCategory, ConfigMap] as const;

/** What handlers of routes work with. */
export type GatewayPorts = HttpPorts<
  (typeof EMITS)[number],
  (typeof READS)[number],
  "access" | "outcomes" | "history" | "blobs" | "uploads" | "charts" | "clock"
>;

/** One request, its path matched and its sender known. */
export interface Call {
  readonly request: HttpRequest;
  readonly params: Readonly<Record<string, string>>;
  /** Most bytes of a body that this route reads. */
  readonly maxBytes: number;
  /** Counts bytes of the body against what all requests may hold; false: they hold too much already. */
  readonly hold: (bytes: number) => boolean;
  readonly user: User;
  readonly ports: GatewayPorts;
}

/** What a route does. */
export type Handler = (call: Call) => Promise<HttpAnswer>;

/** A parameter of the path; asking for one that the pattern does not name is a mistake of ours. */
export function param({ params }: Call, name: string): string {
  const value = params[name];
  if (value === undefined) throw new Error(`the path of this route has no {${name}}`);
  return value;
}

/** The conditions of a list. */
export function conditions({ request }: Call): Conditions {
  const read = conditionsOf(request.query);
  if (!read) throw new RestError(400, "invalid conditions");
  return read;
}

/** The body as one flat JSON object, whatever its content type says (KubeSphere §6.1); an empty one is an empty object. */
export async function bodyOf(call: Call): Promise<Readonly<Record<string, unknown>>> {
  return objectIn(new TextDecoder().decode(await bytesOf(call)));
}

/** The text of a body as one flat JSON object. */
export function objectIn(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw new RestError(400, error instanceof Error ? error.message : String(error));
  }
  throw new RestError(400, "the body is no JSON object");
}

async function bytesOf({ request, maxBytes, hold }: Call): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of request.body) {
    total += chunk.length;
    if (total > maxBytes) throw new RestError(413, `the body has more than ${maxBytes} bytes; send less`);
    if (!hold(chunk.length)) throw new RestError(429, "too much is being uploaded at once; try again");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, total);
}

/** A text field of a body; `undefined` where it is absent, an error where it is something else. */
export function textField(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw new RestError(400, `field ${name} is no text`);
}

/** Whether `?validate=true`, or another switch, is on. */
export function isOn({ request }: Call, name: string): boolean {
  return request.query.get(name) === "true";
}

/**
 * The object, unless the path names another workspace than its own: then it is as if it were not there. What belongs
 * to no workspace, and what the store offers, is everybody's to read and nobody else's to change.
 */
export function inWorkspace<O extends KubeObject>(call: Call, object: O | undefined, what: string): O {
  if (object && isVisible(call, object)) return object;
  throw new RestError(404, `${what} not found`);
}

/** Whether the path's workspace, where it names one, has to do with the object. */
export function isVisible({ params, request }: Pick<Call, "params" | "request">, object: KubeObject): boolean {
  const { workspace } = params;
  const own = workspaceOf(object);
  if (workspace === undefined || workspace === own) return true;
  return request.method === "GET" && (own === "" || isOffered(object));
}
