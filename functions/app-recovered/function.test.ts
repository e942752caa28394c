import { AppRecovered } from "../../shared/events/app.ts";
import { itActsOnVersions } from "../../test/support/acts.ts";
import { happened } from "../../test/support/objects.ts";
import subject from "./function.ts";

itActsOnVersions(subject, { event: happened(AppRecovered, { app: "app-1" }), from: "suspended" });
