import { defineCommand } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { appPath } from "../store/paths.ts";
import { App } from "../store/shapes.ts";
import { fields } from "../text.ts";
import { APP_ARGUMENT, APP_HINT } from "./argument.ts";

/** opx app get */
export const appGet = defineCommand({
  name: "app get",
  summary: "Show one application.",
  arguments: [APP_ARGUMENT],
  options: STORE_OPTIONS,
  examples: ["app get app-x1y2z3", "app get app-x1y2z3-store --json"],
  async run({ arguments: [id = ""], options }, context) {
    const store = await context.store(options);
    const app = await store.call({ method: "GET", path: appPath(id), hint: APP_HINT }, App);
    return { json: app, lines: linesOf(app) };
  },
});

function linesOf(app: App): readonly string[] {
  const { latest_app_version: latest } = app;
  return fields([
    ["id", app.app_id],
    ["name", app.name],
    ["state", app.status],
    ["latest", latest?.version_id ? `${latest.name} (${latest.version_id})` : undefined],
    ["workspace", app.isv],
    ["owner", app.owner],
    ["category", (app.category_set ?? []).map(({ name }) => name).join(" ")],
    ["in short", app.abstraction],
    ["description", app.description],
    ["home", app.home],
    ["icon", app.icon],
    ["screenshots", app.screenshots.split(",").join(" ")],
    ["created", app.create_time],
    ["changed", app.status_time],
  ]);
}
