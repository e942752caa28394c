import * as z from "zod";

/** RFC 3339 with milliseconds. */
const Time = z.string().meta({ format: "date-time" });
const Text = z.string();
const Message = z.string().max(1024);
/** JSON in a text. */
const JsonText = z.string();

const Category = z.strictObject({
  category_id: Text,
  name: Text,
  description: Text,
  locale: Text,
  app_total: z.int(),
  create_time: Time,
});

const Version = z.strictObject({
  version_id: Text,
  app_id: Text,
  name: Text.describe("<version> or <version> [<appVersion>]."),
  active: z.boolean(),
  status: Text.describe("draft, submitted, passed, rejected, active or suspended."),
  description: Text,
  home: Text,
  icon: Text,
  owner: Text,
  package_name: Text.describe("<chart>-<version>.tgz."),
  maintainers: JsonText,
  sources: JsonText,
  create_time: Time,
  status_time: Time.describe("When the last act was accepted."),
  update_time: Time.describe("When the package was made."),
});

const App = z.strictObject({
  app_id: Text,
  name: Text,
  isv: Text.describe("Workspace of the application."),
  owner: Text,
  status: Text,
  abstraction: Text,
  description: Text,
  home: Text,
  icon: Text.describe("Address, or id of an attachment."),
  screenshots: Text.describe("Ids of attachments, joined by commas."),
  category_set: z.array(Category.omit({ description: true, app_total: true }).extend({ status: Text })),
  latest_app_version: z.union([Version, z.strictObject({})]),
  app_version_types: Text,
  cluster_total: z.int(),
  create_time: Time,
  status_time: Time,
  update_time: Time,
});

const Audit = z.strictObject({
  app_id: Text,
  app_name: Text,
  version_id: Text,
  version_name: Text,
  version_type: Text,
  status: Text,
  operator: Text,
  operator_type: Text,
  message: Text,
  status_time: Time,
});

const Phase = z.strictObject({
  status: Text,
  operator: Text,
  operator_type: Text,
  message: Text,
  status_time: Time,
});

const Review = z.strictObject({
  review_id: Text,
  app_id: Text,
  app_name: Text,
  version_id: Text,
  version_name: Text,
  status: Text,
  reviewer: Text,
  status_time: Time,
  workspace: Text,
  phase: z.record(z.string(), Phase).describe("How each step of the review stands."),
});

const Repo = z.strictObject({
  repo_id: Text,
  name: Text,
  status: Text.describe("syncing, successful or failed."),
  url: Text.describe("Without user name and password."),
  credential: JsonText.describe("Always {}: whoever gave credentials does not get them back."),
  description: Text,
  creator: Text,
  sync_period: Text.describe("As Go writes durations, e.g. 180s."),
  create_time: Time,
  status_time: Time,
  category_set: z.null(),
  labels: z.null(),
  providers: z.null(),
  selectors: z.null(),
});

const RepoEvent = z.strictObject({
  repo_id: Text,
  status: Text,
  result: Text,
  create_time: Time,
  status_time: Time,
});

const Validated = z.strictObject({
  name: Text.optional(),
  version_name: Text.optional(),
  description: Text.optional(),
  url: Text.optional(),
  icon: Text.optional(),
  error: Text.optional(),
  error_details: z.record(z.string(), z.string()).optional().describe("Reasons by file."),
  findings: z
    .array(z.strictObject({ severity: Text, path: Text, message: Text }))
    .optional()
    .describe("What helm lint and the store say of a package that is taken, the worst first."),
});

const KubernetesObject = z
  .looseObject({ apiVersion: Text, kind: Text, metadata: z.looseObject({ name: Text }) })
  .describe("The object as kubectl shows it, without credentials.");

const list = <S extends z.ZodType>(item: S) =>
  z.strictObject({ items: z.array(item), total_count: z.int().describe("Length of the whole list.") });

const Counts = z.record(z.string(), z.int());
const Facets = z.array(z.strictObject({ value: Text, count: z.int() })).describe("How often each is among the hits.");

/** What routes answer with status 200, by name. */
export const ANSWERS = {
  Success: z.strictObject({ message: z.literal("success") }),
  App,
  AppList: list(App),
  AppCreated: z.union([z.strictObject({ app_id: Text, version_id: Text }), Validated]),
  Version,
  VersionList: list(Version),
  VersionCreated: z.union([z.strictObject({ version_id: Text }), Validated]),
  AuditList: list(Audit),
  ReviewList: list(Review),
  Package: z.strictObject({ app_id: Text, version_id: Text, package: z.base64() }),
  Files: z.strictObject({ version_id: Text, files: z.record(z.string(), z.base64()) }),
  Repo,
  RepoList: list(Repo),
  RepoCreated: z.union([z.strictObject({ repo_id: Text }), z.strictObject({ ok: z.literal(true) })]),
  RepoEventList: list(RepoEvent),
  Category,
  CategoryList: list(Category),
  CategoryCreated: z.strictObject({ category_id: Text }),
  AttachmentCreated: z.strictObject({ attachment_id: Text }),
  Attachment: z.strictObject({ attachment_id: Text, attachment_content: z.record(z.string(), z.base64()) }),
  Found: list(App).extend({
    facets: z.strictObject({ categories: Facets, keywords: Facets, maintainers: Facets }),
  }),
  Statistics: z.strictObject({
    app_count: z.int(),
    repo_count: z.int(),
    version_count: z.int(),
    apps_by_state: Counts,
    versions_by_state: Counts,
    last_two_week_created: Counts.describe("Applications by the day they were made on, UTC."),
    top_ten_repos: Counts.describe("Applications by repository."),
    top_ten_apps: Counts.describe("Versions by application."),
  }),
  Object: KubernetesObject,
  ObjectList: z.strictObject({ items: z.array(KubernetesObject), totalItems: z.int() }),
  Outcome: z.strictObject({ type: Text, subject: Text, data: z.unknown() }),
  Any: z.unknown(),
} as const;

/** The name of an answer. */
export type AnswerName = keyof typeof ANSWERS;

const CreateRepo = z.object({
  name: Text,
  url: Text.describe("http://, https://, s3:// or oci://."),
  credential: JsonText.optional().describe("Kept in a Secret."),
  sync_period: Text.optional().describe("As Go writes durations; above 0 it is at least 180s."),
  description: Text.optional(),
});

/** What routes take as JSON, by name; one flat object each, and what is absent stays as it is. */
export const BODIES = {
  Action: z.object({
    action: Text,
    message: Message.optional(),
    step: Text.optional().describe("Step of a review: isv, business, technical or admin."),
  }),
  CreateApp: z.object({
    name: Text.optional(),
    version_package: z.base64().describe("The chart package."),
    version_type: Text.optional(),
    version_name: Text.optional(),
    icon: Text.optional(),
  }),
  ModifyApp: z.object({
    name: Text.optional(),
    description: Text.optional(),
    abstraction: Text.optional(),
    home: Text.optional(),
    category_id: Text.optional().describe('"" clears it.'),
    type: z.enum(["icon", "screenshot"]).optional(),
    sequence: z.int().min(0).max(5).optional().describe("Place of the screenshot to take away."),
    attachment_content: z.base64().optional(),
  }),
  CreateVersion: z.object({
    package: z.base64().describe("The chart package."),
    type: Text.optional(),
    name: Text.optional(),
    description: Text.optional(),
  }),
  ModifyVersion: z.object({
    name: Text.optional(),
    description: Text.optional(),
    package: z.base64().optional().describe("Takes the place of a draft's package."),
  }),
  CreateRepo,
  ModifyRepo: CreateRepo.partial(),
  CreateCategory: z.object({ name: Text, description: Text.optional() }),
  ModifyCategory: z.object({ name: Text.optional(), description: Text.optional() }),
  Any: z.looseObject({}),
} as const;

/** The name of a body. */
export type BodyName = keyof typeof BODIES;
