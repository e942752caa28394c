import { VersionSuspended } from "../../shared/events/version.ts";
import { itActs } from "../../test/support/acts.ts";
import { happened } from "../../test/support/objects.ts";
import subject from "./function.ts";

itActs(subject, { event: happened(VersionSuspended, { version: "appv-1" }), from: "active", to: "suspended" });
