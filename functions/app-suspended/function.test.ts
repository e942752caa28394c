import { AppSuspended } from "../../shared/events/app.ts";
import { itActsOnVersions } from "../../test/support/acts.ts";
import { happened } from "../../test/support/objects.ts";
import subject from "./function.ts";

itActsOnVersions(subject, { event: happened(AppSuspended, { app: "app-1" }), from: "active" });
