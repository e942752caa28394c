import { jsonSchemas } from "../../shared/rest/json-schemas.ts";
import { QUERIES } from "../../shared/rest/queries.ts";
import { ANSWERS, BODIES } from "../../shared/rest/schemas.ts";
import { ROUTES, type Route } from "./routes.ts";

/** The OpenAPI 3.1 document of the REST API: paths from the routes, schemas from what handlers take and give. */
export function openApi(): object {
  return {
    openapi: "3.1.1",
    info: {
      title: "OpenPitrix",
      version: "v1",
      summary: "KubeSphere's REST API of the application store.",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: TAGS.map((name) => ({ name })),
    paths: pathsOf(ROUTES),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "A token that Kubernetes knows." } },
      schemas: {
        ...prefixed("Answer", jsonSchemas(ANSWERS, "output")),
        ...prefixed("Body", jsonSchemas(BODIES, "input")),
      },
      responses: { Error: ERROR },
    },
  };
}

const DESCRIPTION =
  "Every success is 200. Errors are plain text. A trailing slash is allowed. Bodies are one flat JSON object, under " +
  "PATCH too. With Idempotency-Key a repeated request is the same act. Who may do what, Kubernetes RBAC says: group " +
  "openpitrix.io, in the namespace that is called like the workspace.";

const TAGS = ["store", "applications", "repositories", "categories", "releases", "objects"] as const;

const ERROR = {
  description: "Why not: 400, 401, 403, 404, 409, 413, 500, 501, 503 or 504, in one line.",
  content: { "text/plain": { schema: { type: "string" } } },
};

function pathsOf(routes: readonly Route[]) {
  const byPath = Map.groupBy(routes, ({ pattern }) => pattern.text);
  const operations = (each: readonly Route[]) => each.map((route) => [route.method.toLowerCase(), operation(route)]);
  return Object.fromEntries([...byPath].map(([path, each]) => [path, Object.fromEntries(operations(each))]));
}

function operation(route: Route) {
  const { answer, body, query } = route.contract;
  const names = route.pattern.parts.flatMap((part) => /^\{(.*)\}$/.exec(part)?.[1] ?? []);
  const queries = Object.entries(query === undefined ? {} : QUERIES[query]);
  const schema = { $ref: `#/components/schemas/Answer.${answer}` };
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [tagOf(route.pattern.text)],
    ...(route.deprecated ? { deprecated: true } : {}),
    ...(route.right === "open" ? { security: [] } : {}),
    parameters: [
      ...names.map((name) => ({ name, in: "path", required: true, schema: TEXT })),
      ...queries.map(([name, description]) => ({ name, in: "query", description, schema: TEXT })),
    ],
    ...(body === undefined || route.method === "GET" ? {} : { requestBody: requestBody(route, body) }),
    responses: {
      200: { description: "Done.", content: { "application/json": { schema } } },
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

const TEXT = { type: "string" };

const PATCHES = ["application/json", "application/json-patch+json", "application/merge-patch+json"];

/** Bodies whose package may also be the file of a form; the other fields are its texts. */
const TAKING_FILES = ["CreateApp", "CreateVersion", "ModifyVersion"];

function requestBody({ method }: Route, body: string) {
  const media = { schema: { $ref: `#/components/schemas/Body.${body}` } };
  const types = method === "PATCH" ? PATCHES : PATCHES.slice(0, 1);
  const form = TAKING_FILES.includes(body) ? ["multipart/form-data"] : [];
  return { required: true, content: Object.fromEntries([...types, ...form].map((type) => [type, media])) };
}

/** E.g. `get.v1.workspaces.apps.app`: unique, since method and path are. */
function operationId({ method, pattern }: Route): string {
  const parts = pattern.parts.slice(2).map((part) => part.replaceAll(/[{}]/g, "-"));
  return [method.toLowerCase(), ...parts].join(".");
}

function tagOf(path: string): (typeof TAGS)[number] {
  if (path.includes("/v2alpha1/")) return "objects";
  if (path.includes("/applications")) return "releases";
  if (/\/(?:repos)\b/.test(path)) return "repositories";
  if (/\/(?:categories|attachments)\b/.test(path)) return "categories";
  return /\/(?:apps|reviews)\b/.test(path) ? "applications" : "store";
}

function prefixed(prefix: string, schemas: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${prefix}.${name}`, schema]));
}
