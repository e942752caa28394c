import * as z from "zod";

/** States of an application version, as KubeSphere 3.4 writes them. */
export const VersionState = z.enum(["draft", "submitted", "passed", "rejected", "active", "suspended"]);
export type VersionState = z.output<typeof VersionState>;

/** States of an application, derived from its versions. */
export const AppState = z.enum(["draft", "active", "suspended"]);
export type AppState = z.output<typeof AppState>;

/** What people do with an application version; `review` says who looks at it. */
export const Action = z.enum([
  "submit",
  "cancel",
  "review",
  "pass",
  "reject",
  "release",
  "suspend",
  "recover",
  "delete",
]);
export type Action = z.output<typeof Action>;

/** Steps of a review: the one of a store without steps of its own, OpenPitrix's three, and the administrator's shortcut. */
export const ReviewStep = z.enum(["review", "isv", "business", "technical", "admin"]);
export type ReviewStep = z.output<typeof ReviewStep>;
