import { type Credentials, userOfToken } from "./authenticate.ts";
import { decodeObject, readBody } from "./body.ts";
import { type Answer, type Call, jsonAnswer } from "./call.ts";
import { badRequest, forbidden, invalid, notFound } from "./errors.ts";
import { type KubeObject, parseObject, timestamp } from "./object.ts";
import { type Action, allowedBy, rulesFor } from "./rbac.ts";
import { at, isObject, type Json, textOf, textsOf } from "./schema/json.ts";
import type { KindInfo } from "./schema/kinds.ts";
import { type Backend, idOf, subjectOf, type Target } from "./target.ts";
import { apiAudience, issueToken } from "./tokens.ts";
import { authenticatedGroup, type User } from "./user.ts";

type Review = (credentials: Credentials, call: Call, review: KubeObject) => object;

/** Answers a POST to a kind that is computed and never stored; undefined for all other kinds. */
export function reviewOf(kind: KindInfo): ((credentials: Credentials, call: Call) => Promise<Answer>) | undefined {
  const review = reviews[`${kind.group}/${kind.kind}`];
  if (review === undefined) return undefined;
  return async (credentials, call) => {
    const body = decodeObject(await readBody(call.request)) as unknown as KubeObject;
    return jsonAnswer(201, {
      ...body,
      metadata: { creationTimestamp: null, ...body.metadata },
      status: review(credentials, call, body),
    });
  };
}

const reviews: Readonly<Record<string, Review>> = {
  "authentication.k8s.io/TokenReview": reviewToken,
  "authentication.k8s.io/SelfSubjectReview": (_, call) => ({ userInfo: userInfo(call.user) }),
  "authorization.k8s.io/SelfSubjectAccessReview": ({ storage }, call, body) => decision(storage, call.user, body),
  "authorization.k8s.io/SubjectAccessReview": ({ storage }, _, body) => decision(storage, reviewedUser(body), body),
  "authorization.k8s.io/LocalSubjectAccessReview": ({ storage }, _, body) =>
    decision(storage, reviewedUser(body), body),
  "authorization.k8s.io/SelfSubjectRulesReview": reviewRules,
};

function reviewToken(credentials: Credentials, _: Call, body: KubeObject): object {
  const token = textOf(at(body, "spec", "token"));
  const wanted = textsOf(at(body, "spec", "audiences"));
  const found = userOfToken(credentials, token);
  const audiences = (found?.audiences ?? []).filter((audience) =>
    wanted.length === 0 ? audience === apiAudience : wanted.includes(audience),
  );
  if (found === undefined || audiences.length === 0)
    return { authenticated: false, user: {}, error: "the token is invalid, expired or for another audience" };
  return { authenticated: true, user: userInfo(found.user), audiences };
}

function userInfo(user: User): object {
  return { username: user.name, ...(user.uid === undefined ? {} : { uid: user.uid }), groups: user.groups };
}

function reviewedUser(body: KubeObject): User {
  const name = textOf(at(body, "spec", "user"));
  const groups = textsOf(at(body, "spec", "groups"));
  if (name === "" && groups.length === 0)
    throw badRequest("spec.user: Invalid value: at least one of user or group must be specified");
  return { name, groups: [...groups, ...(groups.includes(authenticatedGroup) ? [] : [])] };
}

function decision(storage: Credentials["storage"], user: User, body: KubeObject): object {
  const reason = allowedBy(storage, user, actionOf(body));
  return reason === undefined ? { allowed: false } : { allowed: true, reason: `RBAC: allowed by ${reason}` };
}

function actionOf(body: KubeObject): Action {
  const resource = at(body, "spec", "resourceAttributes");
  const path = at(body, "spec", "nonResourceAttributes");
  if (isObject(resource) === isObject(path)) {
    throw badRequest("spec: exactly one of resourceAttributes and nonResourceAttributes must be specified");
  }
  if (isObject(path)) return { verb: textOf(path["verb"]), path: textOf(path["path"]) };
  const subresource = textOf(at(resource, "subresource"));
  return {
    verb: textOf(at(resource, "verb")),
    group: textOf(at(resource, "group")),
    resource: textOf(at(resource, "resource")),
    name: textOf(at(resource, "name")),
    namespace: textOf(at(resource, "namespace")),
    ...(subresource === "" ? {} : { subresource }),
  };
}

function reviewRules({ storage }: Credentials, call: Call, body: KubeObject): object {
  const namespace = textOf(at(body, "spec", "namespace"));
  if (namespace === "") throw badRequest("spec.namespace: Required value: no namespace on request");
  const everything: Json[] = call.user.groups.includes("system:masters")
    ? [
        { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
        { verbs: ["*"], nonResourceURLs: ["*"] },
      ]
    : [];
  const rules = [...everything, ...rulesFor(storage, call.user, namespace).map(({ rule }) => rule)];
  const ofPaths = (rule: Json): boolean => at(rule, "nonResourceURLs") !== undefined;
  return {
    resourceRules: rules.filter((rule) => !ofPaths(rule)),
    nonResourceRules: rules.filter(ofPaths),
    incomplete: false,
  };
}

const defaultSeconds = 3600;
const leastSeconds = 600;
const mostSeconds = 48 * 3600;

/** Answers POST to the token subresource of a ServiceAccount. */
export async function requestToken(
  backend: Backend,
  { target, credentials }: { target: Target; credentials: Credentials },
  call: Call,
): Promise<Answer> {
  const { kind, namespace, name = "" } = target;
  const entry = backend.storage.get(idOf(kind, namespace, name));
  if (entry === undefined) throw notFound(subjectOf(kind, name));
  const body = decodeObject(await readBody(call.request)) as unknown as KubeObject;
  const audiences = textsOf(at(body, "spec", "audiences"));
  const seconds = Number(at(body, "spec", "expirationSeconds") ?? defaultSeconds);
  if (seconds < leastSeconds) throw tooShort(seconds);
  const bound = boundObject(backend, namespace, at(body, "spec", "boundObjectRef"));
  const uid = parseObject(entry.text).metadata.uid ?? "";
  const wish = {
    namespace,
    name,
    uid,
    audiences: audiences.length === 0 ? [apiAudience] : audiences,
    seconds: Math.min(seconds, mostSeconds),
  };
  const { token, expires } = issueToken(credentials.signingKey, bound === undefined ? wish : { ...wish, bound });
  const spec = { ...(body["spec"] as object), audiences: wish.audiences, expirationSeconds: wish.seconds };
  const metadata = { name, namespace, creationTimestamp: timestamp() };
  const status = { token, expirationTimestamp: timestamp(expires) };
  return jsonAnswer(201, { kind: "TokenRequest", apiVersion: "authentication.k8s.io/v1", metadata, spec, status });
}

function tooShort(seconds: number): Error {
  const message = `Invalid value: ${seconds}: may not specify a duration less than 10 minutes`;
  const subject = { group: "authentication.k8s.io", plural: "tokenrequests", kind: "TokenRequest", name: "" };
  return invalid(subject, [{ reason: "FieldValueInvalid", field: "spec.expirationSeconds", message }]);
}

function boundObject(
  backend: Backend,
  namespace: string,
  reference: Json | undefined,
): { kind: string; name: string; uid: string } | undefined {
  if (!isObject(reference)) return undefined;
  const kind = backend.registry.ofKind(textOf(reference["apiVersion"]) || "v1", textOf(reference["kind"]));
  const name = textOf(reference["name"]);
  if (kind === undefined)
    throw badRequest(`cannot bind token for serviceaccount to object of type ${textOf(reference["kind"])}`);
  const entry = backend.storage.get(idOf(kind, namespace, name));
  if (entry === undefined) throw notFound(subjectOf(kind, name));
  const uid = parseObject(entry.text).metadata.uid ?? "";
  if (reference["uid"] && reference["uid"] !== uid)
    throw forbidden(subjectOf(kind, name), "the UID in the bound object reference does not match");
  return { kind: kind.kind, name, uid };
}
