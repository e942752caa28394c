import { VersionReviewStarted } from "../../shared/events/version.ts";
import { itActs } from "../../test/support/acts.ts";
import { happened } from "../../test/support/objects.ts";
import subject from "./function.ts";

itActs(subject, { event: happened(VersionReviewStarted, { version: "appv-1" }), from: "submitted", to: "submitted" });
