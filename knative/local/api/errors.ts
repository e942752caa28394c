import { qualifiedResource } from "./object.ts";

/** One cause inside a Status. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The body of every answer that is no object. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Record<string, never>;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
  };
  readonly code: number;
}

/** A refusal that is answered with a Status. */
export class ApiError extends Error {
  readonly status: Status;

  constructor(status: Status) {
    super(status.message ?? status.reason ?? "failure");
    this.name = "ApiError";
    this.status = status;
  }
}

/** What an error is about. */
export interface Subject {
  readonly group: string;
  readonly plural: string;
  readonly kind?: string;
  readonly name: string;
}

interface Failure {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: Status["details"];
}

/** Builds an error from its parts; the functions below are the shapes that Kubernetes uses. */
export function failure({ code, reason, message, details }: Failure): ApiError {
  const body = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message } as const;
  const why = reason === undefined ? {} : { reason };
  return new ApiError({ ...body, ...why, ...(details === undefined ? {} : { details }), code });
}

function detailsOf(subject: Subject): NonNullable<Status["details"]> {
  const group = subject.group === "" ? {} : { group: subject.group };
  const name = subject.name === "" ? {} : { name: subject.name };
  return { ...name, ...group, kind: subject.plural };
}

/** 404 for an object. */
export function notFound(subject: Subject): ApiError {
  const message = `${qualifiedResource(subject)} "${subject.name}" not found`;
  return failure({ code: 404, reason: "NotFound", message, details: detailsOf(subject) });
}

/** 404 for a path or a resource that is not served. */
export function unknownPath(): ApiError {
  const message = "the server could not find the requested resource";
  return failure({ code: 404, reason: "NotFound", message, details: {} });
}

/** 409 when the name is taken. */
export function alreadyExists(subject: Subject): ApiError {
  const message = `${qualifiedResource(subject)} "${subject.name}" already exists`;
  return failure({ code: 409, reason: "AlreadyExists", message, details: detailsOf(subject) });
}

const modified = "the object has been modified; please apply your changes to the latest version and try again";

/** 409 when the object changed in between, or a precondition does not hold. */
export function conflict(subject: Subject, why: string = modified): ApiError {
  const message = `Operation cannot be fulfilled on ${qualifiedResource(subject)} "${subject.name}": ${why}`;
  return failure({ code: 409, reason: "Conflict", message, details: detailsOf(subject) });
}

/** 409 of server-side apply, one cause per field that somebody else owns. */
export function applyConflict(
  conflicts: readonly { readonly manager: string; readonly field: string }[],
  message: string,
): ApiError {
  const causes = conflicts.map(({ manager, field }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${manager}`,
    field,
  }));
  return failure({ code: 409, reason: "Conflict", message, details: { causes } });
}

/** 422 with one cause per field. */
export function invalid(subject: Subject, causes: readonly Required<StatusCause>[]): ApiError {
  const kind = subject.kind ?? subject.plural;
  const named = subject.group === "" ? kind : `${kind}.${subject.group}`;
  const texts = [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))];
  const listed = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  const details = { ...detailsOf(subject), kind, causes };
  return failure({
    code: 422,
    reason: "Invalid",
    message: `${named} ${JSON.stringify(subject.name)} is invalid: ${listed}`,
    details,
  });
}

/** 400. */
export function badRequest(message: string): ApiError {
  return failure({ code: 400, reason: "BadRequest", message });
}

/** 401: no credentials, or none that are known. */
export function unauthorized(): ApiError {
  return failure({ code: 401, reason: "Unauthorized", message: "Unauthorized" });
}

/** 403 for an object or a resource. */
export function forbidden(subject: Subject, why: string, causes?: readonly StatusCause[]): ApiError {
  const named = subject.name === "" ? "" : ` ${JSON.stringify(subject.name)}`;
  const message = `${qualifiedResource(subject)}${named} is forbidden: ${why}`;
  const details = { ...detailsOf(subject), ...(causes === undefined ? {} : { causes }) };
  return failure({ code: 403, reason: "Forbidden", message, details });
}

/** 405. */
export function methodNotAllowed(): ApiError {
  const message = "the server does not allow this method on the requested resource";
  return failure({ code: 405, reason: "MethodNotAllowed", message, details: {} });
}

/** 406: none of the asked forms can be produced. */
export function notAcceptable(): ApiError {
  const message = "only the following media types are accepted: application/json, application/yaml";
  return failure({ code: 406, reason: "NotAcceptable", message });
}

/** 410: that part of the history is forgotten. */
export function expired(message: string): ApiError {
  return failure({ code: 410, reason: "Expired", message });
}

/** 413. */
export function tooLarge(limit: number): ApiError {
  const message = `Request entity too large: limit is ${limit}`;
  return failure({ code: 413, reason: "RequestEntityTooLarge", message });
}

/** 415 with the media types that would do. */
export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return failure({ code: 415, reason: "UnsupportedMediaType", message });
}

/** 429: come back later. */
export function tooManyRequests(message: string, retryAfterSeconds: number): ApiError {
  return failure({ code: 429, reason: "TooManyRequests", message, details: { retryAfterSeconds } });
}

/** 503: the store does not answer. */
export function unavailable(message: string): ApiError {
  return failure({ code: 503, reason: "ServiceUnavailable", message, details: { retryAfterSeconds: 1 } });
}

/** 504: a revision was asked for that does not exist yet. */
export function revisionTooLarge(asked: number, current: number): ApiError {
  const message = `Too large resource version: ${asked}, current: ${current}`;
  const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
  return failure({ code: 504, reason: "Timeout", message, details: { causes, retryAfterSeconds: 1 } });
}

/** 500 for what nobody foresaw. */
export function internal(message: string): ApiError {
  return failure({ code: 500, reason: "InternalError", message: `Internal error occurred: ${message}` });
}
