import { VersionCancelled } from "../../shared/events/version.ts";
import { itActs } from "../../test/support/acts.ts";
import { happened } from "../../test/support/objects.ts";
import subject from "./function.ts";

itActs(subject, { event: happened(VersionCancelled, { version: "appv-1" }), from: "passed", to: "draft" });
