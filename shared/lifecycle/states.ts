import * as z from "zod";

/** States of an application version, as KubeSphere 3.4 writes them. */
export const VersionState = z.enum(["draft", "submitted", "passed", "rejected", "active", "suspended"]);
export type VersionState = z.output<typeof VersionState>;

/** States of an application, derived from its versions. */
export const AppState = z.enum(["draft", "active", "suspended"]);
export type AppState = z.output<typeof AppState>;
