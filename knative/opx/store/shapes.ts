import * as z from "zod";

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** A page of a list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.looseObject({ items: z.array(item), total_count: z.number() });
}

/** A version of an application. */
export const Version = z.looseObject({
  version_id: z.string(),
  app_id: text,
  name: text,
  status: text,
  description: text,
  home: text,
  owner: text,
  package_name: text,
  create_time: text,
  status_time: text,
});
export type Version = z.output<typeof Version>;

/** An application. */
export const App = z.looseObject({
  app_id: z.string(),
  name: text,
  isv: text,
  owner: text,
  status: text,
  abstraction: text,
  description: text,
  home: text,
  icon: text,
  screenshots: text,
  create_time: text,
  status_time: text,
  category_set: z.array(z.looseObject({ category_id: text, name: text })).nullish(),
  latest_app_version: z.looseObject({ version_id: text, name: text }).nullish(),
});
export type App = z.output<typeof App>;

/** One act on a version. */
export const Audit = z.looseObject({
  version_id: text,
  version_name: text,
  status: text,
  operator: text,
  message: text,
  status_time: text,
});
export type Audit = z.output<typeof Audit>;

/** A version in the review queue. */
export const Review = z.looseObject({
  version_id: z.string(),
  version_name: text,
  app_name: text,
  status: text,
  reviewer: text,
  workspace: text,
  status_time: text,
  phase: z.record(z.string(), z.looseObject({ status: text, operator: text })).nullish(),
});
export type Review = z.output<typeof Review>;

/** A category. */
export const Category = z.looseObject({
  category_id: z.string(),
  name: text,
  description: text,
  app_total: z.number().nullish(),
  create_time: text,
});
export type Category = z.output<typeof Category>;

/** What mutations answer that make nothing new. */
export const Done = z.looseObject({ message: text });
